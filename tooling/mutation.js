/**
 * `pnpm mutation NAME` changes the code of packages/NAME, one small change at a time, and sees whether a test of that
 * package fails. A change that none notices is a rule that is not held. Takes minutes; MUTATION_CONCURRENCY=n uses more
 * processors than one, and arguments after the name are Stryker's own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.js'

const [name = '', ...rest] = process.argv.slice(2)
if (!existsSync(join(root, 'packages', name, 'src')) || name === '') {
  console.error(`expected the name of a package, such as scheduler (found "${name}")`)
  process.exit(1)
}
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'stryker'),
  ['run', 'tooling/mutation.config.js', ...rest],
  { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_PACKAGE: name } },
)
process.exitCode = status ?? 1
