import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { cli: 'src/cli.ts', 'open-process': 'src/session/open-process.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  clean: true,
})
