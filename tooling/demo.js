/** Builds what the demo needs, then runs it. Arguments go to `agent-spine demo`. */
import { run } from './run.js'

const steps = [
  ['turbo', 'run', 'build', '--filter=agent-spine...', '--output-logs=errors-only'],
  ['agent-spine', 'demo', ...process.argv.slice(2)],
]
for (const step of steps) {
  const { code } = await run(step, { inherit: true })
  if (code !== 0) process.exit(code)
}
