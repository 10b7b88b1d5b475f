import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineCommand } from 'citty'
import { diskFigures } from './disk-figures.js'
import { figureTable, type Figure } from './figure.js'
import { memoryFigures } from './memory-figures.js'
import { openFigures } from './open-figures.js'

/** What the session costs, against the bounds it was designed for. Exceeding one fails nothing: machines differ. */
export const sessionBench = defineCommand({
  meta: { name: 'session', description: 'What the session costs in memory, on disk and on opening' },
  args: {
    json: { type: 'boolean', description: 'Print one JSON document instead of a table' },
    directory: {
      type: 'string',
      description: 'Where to write. Default: where this system puts temporary files',
    },
  },
  run: async ({ args }) => {
    exposeGarbageCollection()
    const directory = mkdtempSync(join(args.directory ?? tmpdir(), 'agent-spine-bench-'))
    const figures: Figure[] = []
    try {
      figures.push(
        ...(await memoryFigures()),
        ...(await diskFigures(directory)),
        ...(await openFigures(directory)),
      )
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
    const machine = { node: process.version, platform: process.platform, arch: process.arch }
    console.log(args.json === true ? JSON.stringify({ machine, figures }) : figureTable(figures))
  },
})

/** The heap can only be measured when what is garbage has gone. */
function exposeGarbageCollection(): void {
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction
}
