import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embedPage } from '@agent-spine/inspector/embed-page'
import { build } from 'esbuild'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** Bundles the command from source, so that a test runs the checkout and not what was built last. Answers the file. */
export async function bundleCli(name: string): Promise<string> {
  const outfile = join(packageRoot, 'node_modules', '.cache', 'agent-spine', `${name}.mjs`)
  await build({
    entryPoints: [join(packageRoot, 'src', 'cli.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@agent-spine/source'],
    external: ['@clack/prompts', 'citty', '@ai-sdk/*'],
    plugins: [embedPage()],
    logLevel: 'silent',
  })
  return outfile
}
