import { type Approver } from '@agent-spine/tools'
// Not when it is first needed: Node 20 cannot resolve a linked package once the lease has looked at its socket.
import { confirm, isCancel } from '@clack/prompts'
import { type CommandEnvironment } from './command-environment.js'
import { withoutControls } from './output/call-text.js'
import { type Reporter } from './output/reporter.js'

/** Something a person has to allow. */
export interface Question {
  /** Harmless for a terminal; of as many lines as it takes to know what is allowed. */
  readonly text: string
  /** Aborts when the answer does not matter any more. */
  readonly signal: AbortSignal
}

/** Asks the person. `false` also where they leave it open. */
export type Ask = (question: Question) => Promise<boolean>

/** Asks about a call; without anybody to ask, answers what the flags allow. */
export function approver(ask: Ask | undefined, { allowAll }: { readonly allowAll: boolean }): Approver {
  return async ({ call, reasons }) => {
    if (allowAll) return { kind: 'allow' }
    if (ask === undefined) {
      return {
        kind: 'deny',
        reason: 'nobody can be asked: there is no terminal, and --allow-bash was not given',
      }
    }
    const text = `Run ${wholeCall(call.tool.name, call.args)}? (${reasons.join('; ')})`
    const allowed = await ask({ text: withoutControls(text), signal: call.signal })
    return allowed ? { kind: 'allow' } : { kind: 'deny', reason: 'the user said no' }
  }
}

/** All of it: what is cut off might be what matters. */
function wholeCall(name: string, args: unknown): string {
  const values: unknown[] = typeof args === 'object' && args !== null ? Object.values(args) : [args]
  const [only] = values
  return `${name} ${values.length === 1 && typeof only === 'string' ? only : JSON.stringify(args)}`
}

/** Asks in the terminal of a command that reads nothing else from it. */
export function askOnTerminal({ interrupt }: CommandEnvironment, reporter: Reporter): Ask {
  return async ({ text, signal }) => {
    const resume = reporter.pause()
    try {
      const answer = await confirm({ message: text, initialValue: false, output: process.stderr, signal })
      // While it asks, the terminal is in raw mode: Ctrl-C is a key, and no signal.
      if (isCancel(answer)) interrupt()
      return answer === true
    } finally {
      resume()
    }
  }
}
