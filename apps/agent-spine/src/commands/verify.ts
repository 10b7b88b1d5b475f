import { command } from '../command.js'
import { type ExitCode } from '../command-error.js'
import { jsonLine } from '../output/output.js'
import { type Paint } from '../output/paint.js'
import { readLog } from '../read-log.js'
import { sessionArgument } from '../session-argument.js'
import { sessionTarget } from '../session-home.js'
import { verifyLog, type Verification } from '../verify-log.js'

export const verifyCommand = command({
  name: 'verify',
  description: 'Check the relations of a log, and that every provider would accept what it derives',
  args: {
    id: sessionArgument,
    json: { type: 'boolean', default: false, description: 'Print one object' },
  },
  examples: [
    'agent-spine verify 20261130-154512-3f9a',
    'agent-spine verify ./session.jsonl --json | jq .verdict',
  ],
  async run({ id, json }, environment): Promise<ExitCode> {
    const target = sessionTarget(id, environment)
    const verification = verifyLog(await readLog(target))
    const ok = verification.verdict === 'sound' || verification.verdict === 'needs-repair'
    environment.stdout.write(
      json
        ? jsonLine({ session: target.id, file: target.file, ok, ...verification })
        : verificationText(target.id, verification, environment.paint.out),
    )
    return ok ? 0 : 1
  },
})

function verificationText(id: string, { verdict, events, ...found }: Verification, paint: Paint): string {
  const isGood = verdict === 'sound' || verdict === 'needs-repair'
  const lines = [`${paint(isGood ? 'green' : 'red', verdict)}  session ${id}, ${events} events`]
  for (const { code, seq, message } of found.violations) lines.push(`  ${code} at seq ${seq}: ${message}`)
  for (const { code, seq, message } of found.open) lines.push(`  ${code} at seq ${seq}: ${message}`)
  if (found.repairAdds.length > 0) {
    lines.push(`  repair would add ${found.repairAdds.map(({ type }) => type).join(', ')}`)
  }
  for (const [profile, findings] of Object.entries(found.legality)) {
    lines.push(`  ${profile}: ${findings.length === 0 ? 'accepted' : `${findings.length} problems`}`)
    for (const { code, seq, message } of findings) lines.push(`    ${code} at message ${seq}: ${message}`)
  }
  return `${lines.join('\n')}\n`
}
