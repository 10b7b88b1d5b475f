/** Bundles the command from source, so that tests run what is in the checkout and not what was built last. */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** Answers the path of the bundle. */
export async function bundle(name) {
  const outfile = `${packageRoot}/node_modules/.cache/agent-spine/${name}.mjs`
  await build({
    entryPoints: [`${packageRoot}/src/cli.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@agent-spine/source'],
    external: ['@clack/prompts', 'citty'],
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  return outfile
}
