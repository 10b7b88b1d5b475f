import { fileURLToPath } from 'node:url'
import { build as bundle, type Plugin } from 'esbuild'

/** What a page needs beside its data, as text. */
export interface PageAssets {
  readonly script: string
  readonly style: string
}

/** Bundles the page from its source. */
export async function buildPageAssets(): Promise<PageAssets> {
  const [script, style] = await Promise.all([bundled('main.ts'), bundled('page.css')])
  return { script, style }
}

/** For a bundle of this package: the module that builds the page becomes one that holds it. */
export function embedPage(): Plugin {
  return {
    name: 'embed-page',
    setup(build) {
      build.onLoad({ filter: /[\\/]inspector[\\/]src[\\/]page-assets\.ts$/ }, async () => ({
        contents: `export const pageAssets = ${JSON.stringify(await buildPageAssets())}`,
      }))
    },
  }
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [fileURLToPath(new URL(`page/${file}`, import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    charset: 'ascii',
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    conditions: ['@agent-spine/source'],
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
