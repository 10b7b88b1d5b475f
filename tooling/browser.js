/**
 * Bundles every core for the browser and loads the bundle in a realm that has nothing but web-standard globals, so that
 * a `node:` import, `process` or `Buffer` that slipped into a core shows here and not at a user's.
 */
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { build } from 'esbuild'
import { publishedPackages } from './workspace.js'

const webGlobals = Object.fromEntries(
  [
    'AbortController',
    'AbortSignal',
    'DOMException',
    'TextDecoder',
    'TextEncoder',
    'URL',
    'clearTimeout',
    'console',
    'crypto',
    'performance',
    'queueMicrotask',
    'setTimeout',
    'structuredClone',
  ].map(name => [name, globalThis[name]]),
)
const integrations = ['ai-sdk', 'mcp']
let passed = 0
const failures = []

for (const { directory, folder, manifest } of publishedPackages()) {
  if (integrations.includes(folder)) continue
  try {
    const { outputFiles } = await build({
      entryPoints: [join(directory, 'dist', 'index.js')],
      bundle: true,
      write: false,
      minify: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'bundle',
      logLevel: 'silent',
    })
    const names = new Script(`${outputFiles[0].text};Object.keys(bundle)`).runInContext(
      createContext({ ...webGlobals }),
    )
    if (names.length === 0) throw new Error('the bundle exports nothing')
    passed++
    console.log(`${manifest.name} ok, ${outputFiles[0].contents.length} bytes minified, with all it needs`)
  } catch (error) {
    failures.push(folder)
    console.error(`FAILED ${manifest.name}: ${error.message}`)
  }
}
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
