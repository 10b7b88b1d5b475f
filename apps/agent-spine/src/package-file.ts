import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a file that comes with this package, wherever the running code was built to. */
export function packageFile(name: string): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`expected a package.json above ${import.meta.url}, found none`)
    directory = parent
  }
  return join(directory, name)
}
