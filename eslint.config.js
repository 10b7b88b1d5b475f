import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const cores = ['schema', 'scheduler', 'model', 'tools', 'session', 'repair', 'invariant', 'agent-loop']

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/coverage/**',
      '**/.turbo/**',
      '**/.agent-spine/**',
      'apps/agent-spine/sample/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
        { selector: 'ExportAllDeclaration', message: 'Export names one by one.' },
      ],
      'max-params': ['error', 3],
      eqeqeq: 'error',
    },
  },
  {
    files: cores.map(name => `packages/${name}/src/**/*.ts`),
    ignores: ['packages/session/src/jsonl/**', 'packages/session/src/jsonl.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'global', 'require', '__dirname', 'setImmediate'].map(name => ({
          name,
          message: 'Cores use web-standard APIs only.',
        })),
      ],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'Cores use web-standard APIs only.' }] },
      ],
    },
  },
  { files: ['**/*.config.{ts,js}', '.dependency-cruiser.js'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'URL', 'setTimeout', 'globalThis', 'performance'].map(name => [
          name,
          'readonly',
        ]),
      ),
    },
  },
)
