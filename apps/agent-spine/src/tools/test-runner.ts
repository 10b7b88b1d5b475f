import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandLine } from './process-groups.js'

/** How the tests of a directory are run: its own `test` script where its package.json has one, else Node's runner. */
export async function testCommand(directory: string): Promise<CommandLine> {
  if (await hasTestScript(directory)) return { program: 'npm', args: ['test', '--silent'], directory }
  return { program: process.execPath, args: ['--test', '--test-reporter=tap'], directory }
}

/** The command as a person would type it. */
export function commandText({ program, args }: CommandLine): string {
  return [program === process.execPath ? 'node' : program, ...args].join(' ')
}

async function hasTestScript(directory: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    return typeof property(property(manifest, 'scripts'), 'test') === 'string'
  } catch {
    return false
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
