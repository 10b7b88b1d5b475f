import { defineConfig, type Options } from 'tsup'

/** How every published package is built: ESM and CommonJS with types for both, nothing bundled from elsewhere. */
export function packageBuild(entry: string[], extra: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    target: 'es2022',
    platform: 'neutral',
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    sourcemap: true,
    clean: true,
    // Entries of one package share one copy of each class, in CommonJS too.
    splitting: true,
    ...extra,
  })
}
