import { defineConfig } from 'vitest/config'
import base from '../vitest.config.js'

/** The tests of one package, for `pnpm mutation NAME`. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: [`packages/${process.env['MUTATION_PACKAGE'] ?? '*'}/src/**/*.test.ts`] },
})
