import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfinedFile, writeConfinedFile } from './confined-file.js'

it('C3: a directory that is swapped for a link all the time never lets a read or a write out', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'confined-race-')))
  const root = join(base, 'workspace')
  const outside = join(base, 'outside')
  await mkdir(join(root, 'real'), { recursive: true })
  await mkdir(outside)
  await writeFile(join(root, 'real', 'file.txt'), 'inside')
  await writeFile(join(outside, 'file.txt'), 'secret')
  await symlink(outside, join(root, 'link'))

  let done = false
  const swap = async () => {
    while (!done) {
      await rename(join(root, 'real'), join(root, 'shared'))
      await rename(join(root, 'shared'), join(root, 'real'))
      await rename(join(root, 'link'), join(root, 'shared'))
      await rename(join(root, 'shared'), join(root, 'link'))
    }
  }
  const attack = async () => {
    for (let round = 0; round < 400; round++) {
      const text = await readConfinedFile({ root }, 'shared/file.txt', 100).then(
        ({ bytes }) => bytes.toString(),
        () => 'refused',
      )
      expect(text).not.toBe('secret')
      await writeConfinedFile({ root }, 'shared/file.txt', 'inside').catch(() => undefined)
    }
    done = true
  }
  await Promise.all([swap(), attack()])
  expect(await readdir(outside)).toEqual(['file.txt'])
  await rm(base, { recursive: true })
})
