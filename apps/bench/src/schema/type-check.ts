import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Measured, Measurement } from '../measure.js'

const compilers = {
  'TypeScript 5.9': 'typescript-5.9',
  'TypeScript 6': 'typescript',
  'TypeScript 7': 'typescript-7',
}
const reference = 'TypeScript 6'
const title = 'Type check of a schema of 60 properties in 6 levels'
const runs = 3

const { resolve } = createRequire(import.meta.url)
const execute = promisify(execFile)

/** What the types cost whoever writes a large schema: check time beyond that of an empty program. */
export const typeCheckCost = { title, inspect }

async function inspect(): Promise<Measurement> {
  const { large, empty } = await writePrograms()
  const rows: (Measured & { readonly note: string })[] = []
  for (const [name, compiler] of Object.entries(compilers)) {
    const baseline = await bestCheck(compiler, empty)
    const total = await bestCheck(compiler, large)
    const more = Math.max(total.seconds - baseline.seconds, 0)
    const note = `${more.toFixed(2)} s more than an empty program (goal: < 1 s), ${total.instantiations} instantiations`
    rows.push({ name, nanoseconds: more * 1e9, ratio: 0, note })
  }
  const base = rows.find(({ name }) => name === reference)?.nanoseconds ?? NaN
  return { title, reference, rows: rows.map(row => ({ ...row, ratio: base / row.nanoseconds })) }
}

/** Two projects that see the package as its users do: as declarations. */
async function writePrograms(): Promise<{ large: string; empty: string }> {
  const home = join(import.meta.dirname, '..', 'node_modules', '.cache', 'type-check')
  const source = join(import.meta.dirname, '..', '..', '..', 'packages', 'schema')
  const declarations = join(home, 'declarations')
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', declarations]
  const entry = {
    extends: join(source, 'tsconfig.json'),
    include: [],
    files: [join(source, 'src', 'index.ts')],
  }
  await writeProject(join(home, 'package'), { ...entry, compilerOptions: { rootDir: join(source, 'src') } })
  await run('typescript', ['-p', join(home, 'package'), ...options])

  const base = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      skipLibCheck: true,
      noEmit: true,
      types: [],
      paths: { '@agent-spine/schema': [join(declarations, 'index.d.ts')] },
    },
    files: ['program.ts'],
  }
  const programs = { large: largeProgram(), empty: 'export {}\n' }
  for (const [name, text] of Object.entries(programs)) {
    await writeProject(join(home, name), base)
    await writeFile(join(home, name, 'program.ts'), text)
  }
  return { large: join(home, 'large'), empty: join(home, 'empty') }
}

async function writeProject(directory: string, config: object): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config))
}

/** Six levels of ten properties, and a read at the bottom, so that every type is needed. */
function largeProgram(): string {
  const level = (depth: number): string => {
    const next =
      depth < 6
        ? `next: { type: 'object', required: true, additionalProperties: false, properties: { ${level(depth + 1)} } }`
        : `bottom: { type: 'integer', required: true }`
    return `
      path${depth}: { type: 'string', required: true, description: 'Where.' },
      mode${depth}: { type: 'string', enum: ['read', 'write', 'append'] },
      limit${depth}: { type: 'integer' },
      ratio${depth}: { type: 'number', required: true },
      deep${depth}: { type: 'boolean', default: false },
      none${depth}: { type: 'null' },
      tags${depth}: { type: 'array', items: { type: 'string' } },
      one${depth}: { oneOf: [{ type: 'string', const: 'all' }, { type: 'integer' }] },
      any${depth}: { type: 'json' },
      ${next},`
  }
  return `import { defineParameters } from '@agent-spine/schema'
    const parameters = defineParameters({ ${level(1)} })
    declare const value: unknown
    export const bottom: number = parameters.check(value) ? value${'.next'.repeat(5)}.bottom : 0
  `
}

interface Check {
  readonly seconds: number
  readonly instantiations: number
}

async function bestCheck(compiler: string, project: string): Promise<Check> {
  let best: Check = { seconds: Infinity, instantiations: NaN }
  for (let index = 0; index < runs; index++) {
    const output = await run(compiler, ['-p', project, '--extendedDiagnostics'])
    const seconds = Number(/^Check time:\s+([\d.]+)s$/m.exec(output)?.[1])
    const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(output)?.[1])
    if (seconds < best.seconds) best = { seconds, instantiations }
  }
  return best
}

/** Runs a compiler. What it finds wrong is part of the error. */
async function run(compiler: string, args: readonly string[]): Promise<string> {
  const tsc = join(dirname(resolve(`${compiler}/package.json`)), 'bin', 'tsc')
  try {
    return (await execute(process.execPath, [tsc, ...args])).stdout
  } catch (error) {
    const { stdout } = error as { stdout?: unknown }
    throw new Error(`expected ${compiler} to compile, found: ${String(stdout)}`, { cause: error })
  }
}
