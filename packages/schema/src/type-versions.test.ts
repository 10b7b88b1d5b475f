import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

// The type tests hold under every TypeScript that users have, and a broken one fails under each.

const packageDirectory = join(import.meta.dirname, '..')
const brokenDirectory = join(packageDirectory, 'node_modules', '.cache', 'type-versions')
const { resolve } = createRequire(import.meta.url)

function compile(compiler: string, project: string): Promise<{ code: unknown; output: string }> {
  const tsc = join(dirname(resolve(`${compiler}/package.json`)), 'bin', 'tsc')
  return new Promise(done => {
    execFile(process.execPath, [tsc, '-p', project, '--pretty', 'false'], (error, output) => {
      done({ code: error?.code ?? 0, output })
    })
  })
}

/** The type tests with one expectation changed, in a project of its own. */
beforeAll(async () => {
  const tests = await readFile(join(packageDirectory, 'src', 'infer.test-d.ts'), 'utf8')
  const broken = tests
    .replace("mode?: 'fast' | 'slow'", "mode?: 'fast' | 'slower'")
    .replace("'./index.js'", "'../../../src/index.js'")
  await mkdir(brokenDirectory, { recursive: true })
  await writeFile(join(brokenDirectory, 'broken.test-d.ts'), broken)
  await writeFile(
    join(brokenDirectory, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../../../tsconfig.base.json', include: ['*.ts'] }),
  )
})

describe.each([
  ['typescript-5.9', '5.9.'],
  ['typescript', '6.'],
  ['typescript-7', '7.'],
])('%s', { concurrent: true }, (compiler, version) => {
  it(`is TypeScript ${version}x`, () => {
    const { version: found } = createRequire(import.meta.url)(`${compiler}/package.json`) as {
      version: string
    }
    expect(found.startsWith(version)).toBe(true)
  })

  it('agrees with every type test', { timeout: 120_000 }, async () => {
    expect(await compile(compiler, join(packageDirectory, 'type-tests'))).toEqual({ code: 0, output: '' })
  })

  it('finds a broken type test', { timeout: 120_000 }, async () => {
    const { code, output } = await compile(compiler, brokenDirectory)
    expect(code).not.toBe(0)
    expect(output.match(/error TS\d+/g)).toEqual(['error TS2344'])
  })
})
