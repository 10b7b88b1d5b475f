import { repairLog } from '@agent-spine/repair'
import { describe, expect, it } from 'vitest'
import { failedLog, killedLog, LogWriter, sampleLog } from '../test/sample-log.js'
import { callSpans } from './call-spans.js'
import { explainCall } from './explain-call.js'

function why(log: LogWriter, callId: string): string {
  const call = callSpans(log.events).find(span => span.callId === callId)
  if (call === undefined) throw new Error(`expected ${callId}`)
  return explainCall(call)
}

const asked = () =>
  new LogWriter()
    .turn()
    .step()
    .says('go')
    .answers('', [['x', 'look', {}]])

describe('an open call says what the log proves, and what repair would say', () => {
  it.each([
    {
      state: 'never started',
      log: killedLog(),
      callId: 'k2',
      expected:
        'The model asked for this call, and it has not started, so it has had no effect. The log ends here because the process ' +
        'died, or it still runs. If it died, repair or resume will close it as not started (TOOL_NOT_STARTED).',
    },
    {
      state: 'running',
      log: killedLog(),
      callId: 'k0',
      expected:
        'Its body began, and the log holds no end of it. The log ends here because the process died, or it still runs. ' +
        'If it died, repair or resume will close it as a call of unknown outcome (TOOL_OUTCOME_UNKNOWN).',
    },
    {
      state: 'prepared',
      log: asked().starts('x', 'look', {}),
      callId: 'x',
      expected:
        'It was prepared, and its body has not begun, so it has had no effect. The log ends here because the process died, or it ' +
        'still runs. If it died, repair or resume will close it as not started (TOOL_NOT_STARTED).',
    },
    {
      state: 'left by a turn that failed',
      log: failedLog(),
      callId: 'f2',
      expected:
        'The model asked for this call, and it has not started, so it has had no effect. Its turn is over, so nothing will go on ' +
        'with it. Repair or resume will close it as not started (TOOL_NOT_STARTED).',
    },
    {
      state: 'done out of its turn',
      log: failedLog(),
      callId: 'f1',
      expected:
        'Its body ended and told its outcome, but no result was committed. Its turn is over, so nothing will go on with ' +
        'it. Repair or resume will make that outcome its result.',
    },
    {
      state: 'possibly lost with a part of the log',
      log: asked().owner(true),
      callId: 'x',
      expected:
        'The log holds no start of this call, but a part of the log was lost, so it may have run nevertheless. Its process ' +
        'has ended: another one took the session over. Repair or resume will close it as a call of unknown outcome ' +
        '(TOOL_OUTCOME_UNKNOWN).',
    },
  ])('$state', ({ log, callId, expected }) => {
    expect(why(log, callId)).toBe(expected)
  })

  it('never names another code than repair gives', () => {
    const events = sampleLog()
    for (let length = 1; length <= events.length; length++) {
      const cut = events.slice(0, length)
      const repaired = new Map(callSpans(repairLog(cut)).map(call => [call.callId, call.code]))
      for (const call of callSpans(cut)) {
        if (call.status === 'open') expect(explainCall(call)).toContain(`(${repaired.get(call.callId)})`)
      }
    }
  })
})
