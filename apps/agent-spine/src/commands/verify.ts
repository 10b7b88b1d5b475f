import { command } from '../command.js'
import { type ExitCode } from '../command-error.js'
import { damageReport, type DamageReport } from '../damage-report.js'
import { jsonLine } from '../output/output.js'
import { type Paint } from '../output/paint.js'
import { readUpToDamage } from '../read-log.js'
import { readSessionArgument, sessionToRead } from '../session-argument.js'
import { verifyLog, type Verification } from '../verify-log.js'

export const verifyCommand = command({
  name: 'verify',
  description: 'Check the relations of a log, and that every provider would accept what it derives',
  args: {
    id: readSessionArgument,
    json: { type: 'boolean', default: false, description: 'Print one object' },
  },
  examples: [
    'agent-spine verify 20261130-154512-3f9a',
    'agent-spine verify ./20261130-154512-3f9a.jsonl --json | jq .verdict',
  ],
  async run({ id, json }, environment): Promise<ExitCode> {
    const target = await sessionToRead(id, environment)
    const { events, damage } = await readUpToDamage(target)
    const verification = verifyLog(events)
    if (damage !== undefined) {
      const place = { session: target.id, file: target.file }
      const report = damageReport(damage)
      environment.stdout.write(
        json
          ? jsonLine({ ...place, ok: false, verdict: 'damaged', damage: report, readable: verification })
          : damageText(target.id, report, verification),
      )
      // Told on stderr, as by every command.
      throw damage
    }
    const ok = verification.verdict === 'sound' || verification.verdict === 'needs-repair'
    environment.stdout.write(
      json
        ? jsonLine({ session: target.id, file: target.file, ok, ...verification })
        : verificationText(target.id, verification, environment.paint.out),
    )
    return ok ? 0 : 1
  },
})

function damageText(id: string, { line, byte }: DamageReport, readable: Verification): string {
  const { verdict, events } = readable
  return [
    `damaged  session ${id}, at line ${line}, byte ${byte}`,
    events === 0 ? '  nothing before it can be read' : `  the ${events} events before it: ${verdict}`,
    ...findingLines(readable).map(found => `  ${found}`),
    '',
  ].join('\n')
}

function verificationText(id: string, verification: Verification, paint: Paint): string {
  const { verdict, events } = verification
  const isGood = verdict === 'sound' || verdict === 'needs-repair'
  const head = `${paint(isGood ? 'green' : 'red', verdict)}  session ${id}, ${events} events`
  return `${[head, ...findingLines(verification)].join('\n')}\n`
}

function findingLines(found: Verification): string[] {
  const lines: string[] = []
  for (const { code, seq, message } of found.violations) lines.push(`  ${code} at seq ${seq}: ${message}`)
  for (const { code, seq, message } of found.open) lines.push(`  ${code} at seq ${seq}: ${message}`)
  if (found.repairAdds.length > 0) {
    lines.push(`  repair would add ${found.repairAdds.map(({ type }) => type).join(', ')}`)
  }
  for (const [profile, findings] of Object.entries(found.legality)) {
    lines.push(`  ${profile}: ${findings.length === 0 ? 'accepted' : `${findings.length} problems`}`)
    for (const { code, seq, message } of findings) lines.push(`    ${code} at message ${seq}: ${message}`)
  }
  return lines
}
