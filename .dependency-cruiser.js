/** The arrows of ARCHITECTURE.md: what each package may import of ours. */
const arrows = {
  schema: [],
  scheduler: [],
  model: ['schema'],
  tools: ['schema', 'model', 'scheduler'],
  session: ['schema', 'model'],
  repair: ['model', 'session'],
  invariant: ['model', 'session'],
  'agent-loop': ['schema', 'model', 'scheduler', 'tools', 'session', 'repair'],
  'ai-sdk': ['schema', 'model', 'tools'],
  mcp: ['schema', 'model', 'tools'],
}

const source = name => `^packages/${name}/src/`
const tests = '\\.test(-d)?\\.ts$'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle hides which file owns what. Types may point back.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'Every import must resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'nothing-imports-an-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    ...Object.entries(arrows).map(([name, allowed]) => ({
      name: `${name}-imports`,
      comment: `${name} may import of ours: ${allowed.join(', ') || 'nothing'}`,
      severity: 'error',
      from: { path: source(name), pathNot: tests },
      to: { path: '^packages/', pathNot: [name, ...allowed].map(source) },
    })),
    {
      name: 'no-third-party-in-cores',
      comment: 'The core packages have no third-party runtime dependencies.',
      severity: 'error',
      from: { path: '^packages/(?!ai-sdk|mcp)[^/]+/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg'],
        pathNot: '^packages/',
      },
    },
    {
      name: 'repair-knows-session-types-only',
      severity: 'error',
      from: { path: source('repair'), pathNot: tests },
      to: { path: source('session'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'node-only-where-allowed',
      comment: 'Cores run wherever web-standard APIs do.',
      severity: 'error',
      from: {
        path: '^packages/(?!ai-sdk|mcp)',
        pathNot: ['^packages/session/src/jsonl', tests, '/tsup\\.config\\.ts$', '/fuzz/', '/test/'],
      },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|sample)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@agent-spine/source', 'import', 'node', 'default'],
    },
  },
}
