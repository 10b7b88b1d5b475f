import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Every published package: its folder, its manifest, and the names of ours it needs at run time, itself first. */
export function publishedPackages() {
  const packages = readdirSync(join(root, 'packages')).map(folder => {
    const directory = join(root, 'packages', folder)
    return { folder, directory, manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) }
  })
  const byName = new Map(packages.map(item => [item.manifest.name, item]))
  const closure = name => {
    const needed = Object.keys(byName.get(name).manifest.dependencies ?? {}).filter(other =>
      byName.has(other),
    )
    return [...new Set([name, ...needed.flatMap(closure)])]
  }
  return packages.map(item => ({ ...item, needs: closure(item.manifest.name) }))
}

/** The specifiers a consumer may import: the package itself and its subpaths. */
export function specifiers({ manifest }) {
  return Object.keys(manifest.exports)
    .filter(subpath => subpath !== './package.json')
    .map(subpath => manifest.name + subpath.slice(1))
}
