import { defineConfig } from 'tsup'

// Everything in one file each: a child is started for every kill, and starts faster without a walk of node_modules.
export default defineConfig({
  entry: ['src/cli.ts', 'src/victim.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  noExternal: [/.*/],
  splitting: false,
  clean: true,
})
