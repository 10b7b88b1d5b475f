import { defineConfig, type Options } from 'tsup'

/**
 * How every published package is built: ESM and CommonJS with types for both, nothing bundled from elsewhere.
 * CommonJS entries of one package do not share code, which is why errors are recognised by brand and code.
 */
export function packageBuild(entry: string[], extra: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    target: 'es2022',
    platform: 'neutral',
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    sourcemap: true,
    clean: true,
    ...extra,
  })
}
