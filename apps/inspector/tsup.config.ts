import { defineConfig } from 'tsup'
import { embedPage } from './src/embed-page.js'

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
  esbuildPlugins: [embedPage()],
})
