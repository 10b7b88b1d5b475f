/**
 * Packs every published package, installs each alone in an empty folder with nothing but what it declares, and uses it
 * there as its users will: from ESM, from CommonJS, from TypeScript under node16 and bundler resolution. The examples of
 * its README, and of apps/custom-loop for the scheduler, run there too. publint and attw look at the same tarballs; attw without the resolution of TypeScript before 4.7, which knows no subpaths.
 */
import { cpSync, existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, transformSync } from 'esbuild'
import { run } from './run.js'
import { publishedPackages, root, specifiers } from './workspace.js'

const workplace = mkdtempSync(join(tmpdir(), 'agent-spine-consumers-'))
const packages = publishedPackages()
const tarballs = new Map()
const failures = []
let passed = 0

async function check(name, command, cwd) {
  const { code, output } = await run(command, { cwd })
  if (code === 0) {
    passed++
    return
  }
  failures.push(name)
  console.error(`FAILED ${name}: ${command.join(' ')}\n${output}`)
}

async function pack({ manifest, directory }) {
  const tarball = join(workplace, `${manifest.name.replace('@', '').replace('/', '-')}.tgz`)
  const { code, output } = await run(['pnpm', 'pack', '--out', tarball], { cwd: directory })
  if (code !== 0) throw new Error(`cannot pack ${manifest.name}:\n${output}`)
  tarballs.set(manifest.name, tarball)
}

function compilerOptions(module, moduleResolution) {
  return JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
      types: [],
      strict: true,
      noEmit: true,
    },
    include: [moduleResolution === 'node16' ? 'node16/*' : 'bundler/*'],
  })
}

function writeConsumer(folder, item) {
  const imports = specifiers(item)
  const useEach = imports.map((specifier, index) => `import * as m${index} from '${specifier}'`).join('\n')
  const typed = `${useEach}\nexport const modules = [${imports.map((_, index) => `m${index}`).join(', ')}] satisfies readonly object[]\n`
  const names = `const names = new Map(${JSON.stringify(imports.map(specifier => [specifier, null]))})`
  mkdirSync(join(folder, 'node16'))
  mkdirSync(join(folder, 'bundler'))
  const files = {
    'package.json': JSON.stringify({
      private: true,
      dependencies: Object.fromEntries(item.needs.map(name => [name, `file:${tarballs.get(name)}`])),
    }),
    // Both kinds of module must offer the same names, or one of the builds is stale or broken.
    'same-names.mjs': [
      `import { createRequire } from 'node:module'`,
      `import assert from 'node:assert'`,
      `const require = createRequire(import.meta.url)`,
      names,
      `for (const specifier of names.keys()) {`,
      `  const [esm, cjs] = [await import(specifier), require(specifier)]`,
      `  const of = module => Object.keys(module).filter(name => name !== 'default' && name !== 'module.exports').sort()`,
      `  assert.deepEqual(of(cjs), of(esm), specifier)`,
      `  assert.notEqual(of(esm).length, 0, specifier + ' exports nothing')`,
      `}`,
    ].join('\n'),
    'plain.cjs': imports.map(specifier => `require('${specifier}')`).join('\n'),
    'node16/esm.mts': typed,
    'node16/cjs.cts': typed,
    'bundler/app.ts': typed,
    'tsconfig.node16.json': compilerOptions('node16', 'node16'),
    'tsconfig.bundler.json': compilerOptions('esnext', 'bundler'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

const exampleThenOutput = /```ts\n(.*?)```\n+```(?:text)?\n(.*?)```/gs

/** A `ts` block of the README that a plain block follows prints exactly that block. */
async function runExamples(name, directory, folder) {
  const readme = join(directory, 'README.md')
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
  for (const [index, [, code, expected]] of [...text.matchAll(exampleThenOutput)].entries()) {
    const files = [`example-${index}.mjs`, `example-${index}.check.mjs`]
    writeFileSync(join(folder, files[0]), transformSync(code, { loader: 'ts' }).code)
    writeFileSync(
      join(folder, files[1]),
      `import { execFileSync } from 'node:child_process'
import assert from 'node:assert'
assert.equal(execFileSync(process.execPath, ['${files[0]}'], { encoding: 'utf8' }), ${JSON.stringify(expected)})`,
    )
    await check(`${name} README example ${index + 1}`, ['node', files[1]], folder)
  }
}

/** The loop of one's own, bundled by its users' tools, on the installed tarball. */
async function runCustomLoop(name, folder) {
  const source = join(folder, 'custom-loop')
  cpSync(join(root, 'apps', 'custom-loop', 'src'), source, { recursive: true })
  await build({
    entryPoints: [join(source, 'demo.ts')],
    outfile: join(folder, 'custom-loop.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  await check(`${name} custom loop`, ['node', 'custom-loop.mjs'], folder)
}

async function consume(item) {
  const { folder: name, manifest } = item
  const folder = join(workplace, name)
  mkdirSync(folder)
  writeConsumer(folder, item)
  const tarball = tarballs.get(manifest.name)
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  await check(
    `${name} installs alone`,
    ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'],
    folder,
  )
  await check(`${name} from ESM and CommonJS`, ['node', 'same-names.mjs'], folder)
  await check(`${name} from plain CommonJS`, ['node', 'plain.cjs'], folder)
  await check(
    `${name} without code generation`,
    ['node', '--disallow-code-generation-from-strings', 'same-names.mjs'],
    folder,
  )
  await check(`${name} from TypeScript, node16`, [tsc, '-p', 'tsconfig.node16.json'], folder)
  await check(`${name} from TypeScript, bundler`, [tsc, '-p', 'tsconfig.bundler.json'], folder)
  await runExamples(name, item.directory, folder)
  if (name === 'scheduler') await runCustomLoop(name, folder)
  await check(`${name} publint`, ['publint', tarball, '--strict'], folder)
  await check(`${name} attw`, ['attw', tarball, '--profile', 'node16', '--no-emoji'], folder)
}

try {
  for (const item of packages) await pack(item)
  for (const item of packages) {
    await consume(item)
    console.log(
      `${item.manifest.name} ${failures.some(name => name.startsWith(`${item.folder} `)) ? 'FAILED' : 'ok'}`,
    )
  }
} finally {
  rmSync(workplace, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
