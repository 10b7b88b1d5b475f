import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfinedFile, writeConfinedFile } from './confined-file.js'
import { confinedPath, type Workspace } from './confined-path.js'

let workspace: Workspace
let secret: string

beforeEach(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'confined-')))
  workspace = { root: join(base, 'workspace') }
  secret = join(base, 'outside', 'secret.txt')
  await mkdir(join(workspace.root, 'inside'), { recursive: true })
  await mkdir(join(base, 'outside'))
  // Its name begins like the workspace's.
  await mkdir(join(base, 'workspace-twin'))
  await writeFile(secret, 'secret')
  await writeFile(join(workspace.root, 'inside', 'file.txt'), 'text')
})

const refused = { code: 'PATH_OUTSIDE_WORKSPACE' }

describe('C1: the real place lies in the workspace', () => {
  it.each([
    '..',
    '../outside/secret.txt',
    'inside/../../outside/secret.txt',
    '../workspace-twin/file',
    '/etc/passwd',
    'inside\0/file.txt',
  ])('refuses %j', async path => {
    await expect(confinedPath(workspace, path)).rejects.toMatchObject(refused)
  })

  it('refuses a link to a file, to a directory, and a chain of links', async () => {
    await symlink(secret, join(workspace.root, 'file-link'))
    await symlink(join(secret, '..'), join(workspace.root, 'directory-link'))
    await symlink('directory-link', join(workspace.root, 'chain'))
    for (const path of [
      'file-link',
      'directory-link/secret.txt',
      'directory-link/new.txt',
      'chain/secret.txt',
    ]) {
      await expect(confinedPath(workspace, path), path).rejects.toMatchObject(refused)
    }
  })

  it('allows names that only look like a way out', async () => {
    expect(await confinedPath(workspace, '..hidden')).toBe(join(workspace.root, '..hidden'))
    expect(await confinedPath(workspace, 'inside/../inside/file.txt')).toBe(
      join(workspace.root, 'inside/file.txt'),
    )
    expect(await confinedPath(workspace, join(workspace.root, 'new/deep'))).toBe(
      join(workspace.root, 'new/deep'),
    )
  })

  it('follows a link that stays inside', async () => {
    await symlink('inside', join(workspace.root, 'alias'))
    expect(await confinedPath(workspace, 'alias/new.txt')).toBe(join(workspace.root, 'inside/new.txt'))
  })
})

describe('C2: a dangling link is refused', () => {
  it('neither creates nor names its target', async () => {
    const target = join(secret, '..', 'created.txt')
    await symlink(target, join(workspace.root, 'dangling'))
    await expect(writeConfinedFile(workspace, 'dangling', 'x')).rejects.toMatchObject(refused)
    await expect(readFile(target)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('C3: what was opened is what was checked', () => {
  it('does not write through a link that leaves, and leaves nothing behind', async () => {
    await symlink(secret, join(workspace.root, 'report.md'))
    await expect(writeConfinedFile(workspace, 'report.md', 'x')).rejects.toMatchObject(refused)
    expect(await readFile(secret, 'utf8')).toBe('secret')
  })

  it('reads no directory and no device', async () => {
    await expect(readConfinedFile(workspace, 'inside', 10)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    await expect(writeConfinedFile(workspace, 'inside', 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  })

  it('writes whole files and reads a bounded part', async () => {
    await writeConfinedFile(workspace, 'inside/file.txt', 'new text')
    expect(await readFile(join(workspace.root, 'inside/file.txt'), 'utf8')).toBe('new text')
    const { bytes, sizeBytes } = await readConfinedFile(workspace, 'inside/file.txt', 3)
    expect([bytes.toString(), sizeBytes]).toEqual(['new', 8])
  })
})
