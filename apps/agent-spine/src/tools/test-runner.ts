import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HarnessError } from '@agent-spine/schema'
import { type CommandLine } from './process-groups.js'

/**
 * How the tests of a directory are run: its own `test` script where its package.json has one, else Node's runner.
 * @throws HarnessError `INVALID_PACKAGE_JSON`: what the directory's own script is cannot be known, so nothing replaces it
 */
export async function testCommand(directory: string): Promise<CommandLine> {
  if (await hasTestScript(directory)) return { program: 'npm', args: ['test', '--silent'], directory }
  return { program: process.execPath, args: ['--test', '--test-reporter=tap'], directory }
}

/** The command as a person would type it. */
export function commandText({ program, args }: CommandLine): string {
  return [program === process.execPath ? 'node' : program, ...args].join(' ')
}

async function hasTestScript(directory: string): Promise<boolean> {
  const manifest = parseManifest(await readManifest(join(directory, 'package.json')))
  return typeof property(property(manifest, 'scripts'), 'test') === 'string'
}

async function readManifest(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw invalidManifest('a file that cannot be read', error)
  }
}

function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalidManifest('something else', error)
  }
}

function invalidManifest(found: string, cause: unknown): HarnessError {
  return new HarnessError(
    'INVALID_PACKAGE_JSON',
    `expected package.json of the directory to be JSON, found ${found}; no test was run. Mend the file first`,
    { cause },
  )
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
