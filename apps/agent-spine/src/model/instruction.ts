import { defaultReportPath } from '../tools/write-report.js'

/** What the scripted model makes of a prompt. */
export type Instruction =
  | {
      readonly kind: 'test'
      /** Named in the prompt beyond doubt; otherwise the model looks at the workspace first. */
      readonly directories?: readonly string[]
      /** May be names of directories: "the tests of alpha and beta". */
      readonly candidates?: readonly string[]
      readonly reportPath?: string
    }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'unclear' }

/** Reads a prompt. */
export function readInstruction(prompt: string): Instruction {
  if (/\btest(?:s|ed|ing)?\b/i.test(prompt)) return testInstruction(prompt)
  const shell = /\b(?:run|execute)\b[^`]*`([^`]+)`/i.exec(prompt)?.[1]
  if (shell !== undefined) return { kind: 'shell', command: shell }
  const text = /\b(?:search|look|grep)\b.*?\bfor\s+["'`]?(.+?)["'`]?\s*$/i.exec(prompt)?.[1]
  if (text !== undefined) return { kind: 'search', text }
  const path = /\b(?:read|show|open)\s+(?:the\s+)?(?:file\s+)?["'`]?([\w./-]+)/i.exec(prompt)?.[1]
  if (path !== undefined) return { kind: 'read', path }
  return /\b(?:list|files|directories)\b/i.test(prompt) ? { kind: 'list' } : { kind: 'unclear' }
}

function testInstruction(prompt: string): Instruction {
  const directories = listAfter(/\b(?:director(?:y|ies)|folders?|packages?)\s*:?\s+(?=["'`]?[\w@.])/i, prompt)
  const candidates = listAfter(/\btests?\s+(?:of|in|for)\s+/i, prompt)
  const reportPath = reportPathIn(prompt)
  return {
    kind: 'test',
    ...(directories !== undefined ? { directories } : candidates !== undefined && { candidates }),
    ...(reportPath !== undefined && { reportPath }),
  }
}

function reportPathIn(prompt: string): string | undefined {
  const file = /[\w./-]*\w\.(?:md|markdown|txt)\b/i.exec(prompt)?.[0]
  if (file !== undefined) return file
  return /\b(?:write|save|report|record)\b/i.test(prompt) ? defaultReportPath : undefined
}

const pathName = /^["'`]?([\w@.][\w@./-]*?)\/?["'`]?$/
const endsAList = new Set(
  (
    'write save report record then run put store send tell say summarise summarize show print in of to from into with under ' +
    'below inside at on for that which this these those here there the a an each all every its their it'
  ).split(' '),
)

/**
 * The names after a pattern: `A`, `A and B`, `A, B and C`. A phrase that is anything but a plain list of names
 * ("directories of this workspace") gives `undefined`.
 */
function listAfter(pattern: RegExp, prompt: string): readonly string[] | undefined {
  const start = pattern.exec(prompt)
  if (start === null) return undefined
  const rest = prompt.slice(start.index + start[0].length).replaceAll(',', ' , ')
  const names = new Set<string>()
  let separated = true
  for (const token of rest.split(/\s+/)) {
    const word = token.replace(/[.;:!?]+$/, '')
    if (/^(?:,|and|&|plus)$/i.test(token)) {
      separated = true
      continue
    }
    // "A" is more often a directory than an article.
    if (endsAList.has(word === 'A' ? word : word.toLowerCase())) break
    const name = separated ? pathName.exec(word)?.[1] : undefined
    if (name === undefined) return undefined
    names.add(name)
    if (word !== token) break
    separated = false
  }
  return names.size === 0 ? undefined : [...names]
}
