import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../package-file.js'

/** Copies the sample that comes with the command to a fresh temporary directory, and answers where. */
export async function copySampleWorkspace(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-spine-sample-'))
  await cp(packageFile('sample'), directory, { recursive: true })
  return directory
}
