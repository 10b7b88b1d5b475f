import { defineConfig, type Options } from 'tsup'

/**
 * How every published package is built: ESM and CommonJS with types for both, nothing bundled from elsewhere.
 * CommonJS entries of one package do not share code, which is why errors are recognised by brand and code.
 * `tsup --no-dts` makes the JavaScript alone and leaves types that are there.
 */
export function packageBuild(entry: string[], extra: Options = {}) {
  return defineConfig(({ dts }) => ({
    entry,
    format: ['esm', 'cjs'],
    target: 'es2022',
    platform: 'neutral',
    // Types of our other packages come from their builds: from source, every package would check all it depends on.
    dts: { compilerOptions: { ignoreDeprecations: '6.0', customConditions: [] } },
    sourcemap: true,
    clean: dts !== false,
    ...extra,
  }))
}
