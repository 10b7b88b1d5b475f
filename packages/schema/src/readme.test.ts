import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import * as schema from './index.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ''
}

it('prints what the README says', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const code = block('ts').replace(/^import (.+) from '@agent-spine\/schema'$/m, 'const $1 = schema')
  // The example is plain JavaScript, so that it can run as it stands.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function('schema', code) as (module: typeof schema) => void
  run(schema)
  const printed = log.mock.calls.map(call => call.join(' ')).join('\n')
  log.mockRestore()
  expect(`${printed}\n`).toBe(block('text'))
})

it('names only test files that exist', () => {
  const files = [...readme.matchAll(/`([\w.-]+\.test(?:-d)?\.ts)`/g)].map(match => match[1] ?? '')
  expect(files.length).toBeGreaterThan(8)
  for (const file of files) expect(readFileSync(new URL(file, import.meta.url), 'utf8')).not.toBe('')
})
