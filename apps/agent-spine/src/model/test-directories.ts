import { directoryName } from '../tools/directory-name.js'

const testFile = /(?:^|\/)(?:[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|test(?:-[^/]*)?\.[cm]?js)$/
const testFolder = /(?:^|\/)(?:tests?|__tests__)\/[^/]+\.[cm]?[jt]sx?$/
const manifest = /^[^/]+\/package\.json$/

/**
 * Which directories to test, from what `list_files` printed: the candidates, if any of them is listed (the others are then
 * reported as missing); else the listed directories that the prompt mentions; else every directory at the top that has
 * tests; else the workspace itself if it has any.
 */
export function testDirectories(
  listing: string,
  prompt: string,
  candidates: readonly string[] = [],
): readonly string[] {
  const paths = listing.split('\n')
  const directories = paths.filter(path => path.endsWith('/')).map(path => path.slice(0, -1))
  if (candidates.some(candidate => directories.includes(directoryName(candidate)))) return candidates

  const words = new Set(prompt.split(/[\s,;:"'`()]+/).map(word => word.replace(/[./!?]+$/, '')))
  const mentioned = directories.filter(directory => words.has(directory))
  if (mentioned.length > 0 && !/\b(?:all|every|each)\b/i.test(prompt)) return mentioned

  const tests = paths.filter(path => testFile.test(path) || testFolder.test(path) || manifest.test(path))
  const top = directories.filter(
    directory => !directory.includes('/') && tests.some(path => path.startsWith(`${directory}/`)),
  )
  if (top.length > 0) return top
  return tests.length > 0 ? ['.'] : []
}
