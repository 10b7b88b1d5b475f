import { type Approver } from '@agent-spine/tools'
// Not when it is first needed: Node 20 cannot resolve a linked package once the lease has looked at its socket.
import { confirm, isCancel } from '@clack/prompts'
import { type CommandEnvironment } from './command-environment.js'
import { callTitle } from './output/call-text.js'
import { type Reporter } from './output/reporter.js'

/** Asks the person at the terminal; without one, answers what the flags allow. */
export function approver(
  { canAsk, interrupt }: CommandEnvironment,
  reporter: Reporter,
  { allowAll }: { readonly allowAll: boolean },
): Approver {
  return async ({ call, reasons }) => {
    if (allowAll) return { kind: 'allow' }
    if (!canAsk) {
      return {
        kind: 'deny',
        reason: 'nobody can be asked: there is no terminal, and --allow-bash was not given',
      }
    }
    const resume = reporter.pause()
    try {
      const answer = await confirm({
        message: `Run ${callTitle(call.tool.name, JSON.stringify(call.args))}? (${reasons.join('; ')})`,
        initialValue: false,
        output: process.stderr,
        signal: call.signal,
      })
      // While it asks, the terminal is in raw mode: Ctrl-C is a key, and no signal.
      if (isCancel(answer)) interrupt()
      return answer === true ? { kind: 'allow' } : { kind: 'deny', reason: 'the user said no' }
    } finally {
      resume()
    }
  }
}
