import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineCommand } from 'citty'
import { figureTable } from '../session/figure.js'
import { growthFigures } from './growth-figures.js'
import { turnFigures } from './turn-figures.js'

/** What the loop costs, against the bounds it was designed for. Exceeding one fails nothing: machines differ. */
export const loopBench = defineCommand({
  meta: { name: 'loop', description: "The loop's own time in a turn, and what many turns leave behind" },
  args: { json: { type: 'boolean', description: 'Print one JSON document instead of a table' } },
  run: async ({ args }) => {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction
    const figures = [...(await turnFigures()), ...(await growthFigures())]
    const machine = { node: process.version, platform: process.platform, arch: process.arch }
    console.log(args.json === true ? JSON.stringify({ machine, figures }) : figureTable(figures))
  },
})
