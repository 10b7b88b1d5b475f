import { command } from '../command.js'
import { usageError, type ExitCode } from '../command-error.js'
import { deathNames, deaths, type Death } from '../deaths/deaths.js'
import { stageDeath } from '../deaths/stage-death.js'
import { watchDeath, type Aftermath } from '../deaths/watch-death.js'
import { createLogLines } from '../output/log-lines.js'
import { jsonLine } from '../output/output.js'
import { type Paint } from '../output/paint.js'

const tailLength = 6

export const deathsCommand = command({
  name: 'deaths',
  description:
    'Let five processes die in five ways, and show what the log of each holds and what is added to it',
  args: {
    json: { type: 'boolean', default: false, description: 'Print one object a death' },
    stage: {
      type: 'enum',
      options: [...deathNames],
      description: 'Be the process that dies; this command starts it so',
    },
    session: { type: 'string', valueHint: 'ID', description: 'The session of --stage' },
  },
  examples: ['agent-spine deaths', 'agent-spine deaths --json | jq -c "{death, verdict}"'],
  async run({ json, stage, session }, environment): Promise<ExitCode> {
    if (stage !== undefined) {
      if (session !== undefined) return stageDeath(stage, session, environment)
      throw usageError('expected --session with --stage, found none', 'leave --stage out to see all five')
    }
    let ok = true
    for (const [index, death] of deaths.entries()) {
      const aftermath = await watchDeath(death, environment)
      ok &&= isGood(aftermath)
      environment.stdout.write(
        json
          ? jsonLine(aftermathEntry(death, aftermath))
          : aftermathText(`${index + 1}. ${death.title}`, { death, aftermath, paint: environment.paint.out }),
      )
    }
    return ok ? 0 : 1
  },
})

function isGood({ verdict }: Aftermath): boolean {
  return verdict === 'sound' || verdict === 'needs-repair'
}

function aftermathEntry({ name, title, why }: Death, aftermath: Aftermath) {
  const { target, end, before, added, closers, verdict } = aftermath
  return {
    ...{ death: name, title, session: target.id, file: target.file, end },
    ...{ eventsBefore: before.length, added, repairAdds: closers, why, verdict, ok: isGood(aftermath) },
  }
}

interface Telling {
  readonly death: Death
  readonly aftermath: Aftermath
  readonly paint: Paint
}

function aftermathText(heading: string, { death, aftermath, paint }: Telling): string {
  const { target, end, before, added, closers, verdict } = aftermath
  const ended = end.signal === null ? `exit ${end.code ?? ''}` : end.signal
  const lines = createLogLines()
  const [earlier = [], adding = [], repairing = []] = [before, added, closers].map(events =>
    rows(events.map(event => lines.line(event)).join('') + lines.end()),
  )
  const part = (what: string, told: readonly string[]) =>
    told.length === 0 ? '' : `\n  ${paint('dim', what)}\n${told.join('')}`
  return [
    `${paint('bold', heading)}  (${ended}, session ${target.id})\n`,
    part('the end of the log before', earlier.slice(-tailLength)),
    part('added as it died', adding),
    part('what repair adds', repairing),
    `\n  ${death.why}\n  verify: ${paint(isGood(aftermath) ? 'green' : 'red', verdict)}\n\n`,
  ].join('')
}

function rows(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(row => `${row}\n`)
}
