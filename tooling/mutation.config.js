const name = process.env['MUTATION_PACKAGE']

/** What Stryker does for `pnpm mutation NAME`. */
export default {
  mutate: [
    `packages/${name}/src/**/*.ts`,
    `!packages/${name}/src/**/*.test.ts`,
    `!packages/${name}/src/**/*.test-d.ts`,
    `!packages/${name}/src/testing/**`,
    `!packages/${name}/src/{index,testing}.ts`,
  ],
  // The sandbox needs one package and what configures its tests; the others are resolved where they are.
  ignorePatterns: [
    '/*',
    '!/packages',
    '/packages/*',
    `!/packages/${name}`,
    '!/tooling',
    '!/*.json',
    '!/*.ts',
    'dist',
  ],
  tempDirName: 'coverage/mutation/sandbox',
  // Named, because it is not beside Stryker itself in pnpm's node_modules.
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tooling/mutation.vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // A change that makes a loop endless is found by waiting.
  timeoutMS: 3000,
  concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 1),
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `coverage/mutation/${name}.json` },
  thresholds: { high: 90, low: 80, break: null },
  allowConsoleColors: false,
}
