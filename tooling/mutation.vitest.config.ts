import { defineConfig } from 'vitest/config'
import base from '../vitest.config.js'

/**
 * The tests of one package, for `pnpm mutation NAME`. Without those that measure or go through thousands of runs: every
 * change would be paid for with seconds of them. So the score is a lower bound, held by the small tests alone.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [`packages/${process.env['MUTATION_PACKAGE'] ?? '*'}/src/**/*.test.ts`],
    exclude: [
      '**/*.{cost,law,every-boundary,crash}.test.ts',
      '**/{fuzz,run-staged-calls.model,hostile-arguments,well-formed-json}.test.ts',
    ],
  },
})
