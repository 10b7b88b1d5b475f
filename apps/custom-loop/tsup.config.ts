import { defineConfig } from 'tsup'

export default defineConfig({ entry: ['src/demo.ts'], format: 'esm', target: 'node20', clean: true })
