import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { newDirectory } from './jsonl.fixture.js'

/** Bundles a fixture of this folder from source, so that it can be a process. Answers its directory and its file. */
export async function buildProcess(fixture: string): Promise<{ directory: string; file: string }> {
  const directory = newDirectory()
  await build({
    config: false,
    entry: [fileURLToPath(new URL(fixture, import.meta.url))],
    outDir: directory,
    format: 'esm',
    target: 'node20',
    noExternal: [/.*/],
    silent: true,
    esbuildOptions: options => void (options.conditions = ['@agent-spine/source']),
  })
  return { directory, file: join(directory, basename(fixture, '.ts') + '.js') }
}
