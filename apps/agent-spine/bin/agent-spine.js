#!/usr/bin/env node
// Starts the built command. In a checkout that was never built, builds it first; what the build says goes to stderr,
// so that stdout stays data.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = new URL('../dist/cli.js', import.meta.url)
const root = new URL('../../../', import.meta.url)

if (!existsSync(cli) && existsSync(new URL('turbo.json', root))) build()
await import(cli.href)

function build() {
  const turbo = fileURLToPath(new URL('node_modules/turbo/bin/turbo', root))
  const binaries = fileURLToPath(new URL('node_modules/.bin', root))
  const command = [turbo, 'run', 'build:js', '--filter=agent-spine...', '--output-logs=errors-only']
  const { status, error } = spawnSync(process.execPath, command, {
    cwd: fileURLToPath(root),
    env: { ...process.env, PATH: binaries + delimiter + process.env.PATH },
    stdio: ['ignore', 2, 2],
  })
  if (status === 0) return
  process.stderr.write(
    `error BUILD_FAILED: agent-spine is not built, and building it failed${error ? ` (${error.message})` : ''}\n` +
      '  hint: run "pnpm install" and then "pnpm build" in the checkout, and read what it prints\n',
  )
  process.exit(1)
}
