/**
 * Runs the examples of every README: a `ts` block that a plain block follows prints exactly that block, and compiles
 * under the repository's own compiler options.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const workplace = mkdtempSync(join(tmpdir(), 'agent-spine-readme-'))
afterAll(() => rmSync(workplace, { recursive: true, force: true }))

interface Example {
  readonly name: string
  readonly directory: string
  readonly code: string
  readonly output: string
}

const exampleThenOutput = /```ts\n(.*?)```\n+```(?:text)?\n(.*?)```/gs

interface Readme {
  readonly name: string
  readonly directory: string
  readonly text: string
}

const readmes: readonly Readme[] = ['packages', 'apps'].flatMap(group =>
  readdirSync(join(root, group)).flatMap(folder => {
    const directory = join(root, group, folder)
    const file = join(directory, 'README.md')
    return existsSync(file)
      ? [{ name: `${group}/${folder}`, directory, text: readFileSync(file, 'utf8') }]
      : []
  }),
)

const examples = readmes.flatMap(({ name, directory, text }): Example[] =>
  [...text.matchAll(exampleThenOutput)].map(([, code = '', output = ''], index) => ({
    name: `${name} example ${index + 1}`,
    directory,
    code,
    output,
  })),
)

async function runExample({ directory, code }: Example, index: number): Promise<string> {
  const outfile = join(workplace, `example-${index}.mjs`)
  await build({
    stdin: { contents: code, resolveDir: directory, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@agent-spine/source'],
    outfile,
    logLevel: 'silent',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: workplace })
  return stdout
}

function compileErrors(): string[] {
  const sources = new Map(
    examples.map((example, index) => [join(example.directory, `readme-example-${index}.ts`), example.code]),
  )
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), path =>
    readFileSync(path, 'utf8'),
  ) as { config: unknown }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const disk = { ...host }
  host.fileExists = path => sources.has(path) || disk.fileExists(path)
  host.readFile = path => sources.get(path) ?? disk.readFile(path)
  host.getSourceFile = (path, language) => {
    const code = sources.get(path)
    return code === undefined ? disk.getSourceFile(path, language) : ts.createSourceFile(path, code, language)
  }
  const program = ts.createProgram(
    [...sources.keys()],
    { ...options, types: ['node'], noUnusedLocals: false },
    host,
  )
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && sources.has(file.fileName))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}

describe('README examples', () => {
  it.each(examples.map((example, index) => ({ ...example, index })))(
    '$name prints what it says',
    async example => {
      expect(await runExample(example, example.index)).toBe(example.output)
    },
  )

  it('compile', { timeout: 60_000 }, () => {
    expect(compileErrors()).toEqual([])
  })

  it.each(readmes)('$name names only test files that exist', ({ directory, text }) => {
    const named = [...text.matchAll(/`(?:\.\/)?((?:[\w-]+\/)*[\w-][\w.-]*\.test(?:-d)?\.ts)`/g)].map(
      ([, file = '']) => file,
    )
    const places = [
      directory,
      join(directory, 'src'),
      join(directory, 'src', 'jsonl'),
      join(directory, 'test'),
      root,
    ]
    expect(named.filter(file => !places.some(place => existsSync(join(place, file))))).toEqual([])
  })

  it('exist for every package', () => {
    const without = readdirSync(join(root, 'packages')).filter(
      folder => !examples.some(({ name }) => name.startsWith(`packages/${folder} `)),
    )
    expect(without).toEqual([])
  })
})
