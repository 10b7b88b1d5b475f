import { RESULT_WITHHELD } from '@agent-spine/model'
import { snapshotJson } from '@agent-spine/schema'
import { isResultContent, textContent } from './content.js'
import { readContextMessage } from './context-message.js'
import { errorOutcome, thrownOutcome, type ToolOutcome } from './outcome.js'
import { describeThrown } from './thrown.js'
import { type ContextMessage, type Tool } from './tool.js'
import { type Limited } from './within-limit.js'

/** What a decision is about. */
export interface DecisionSubject {
  readonly outcome: ToolOutcome
  readonly ran: boolean
  readonly tool: Tool | undefined
}

/** What a hook made of an outcome, or why it made nothing of it. */
export type Decided =
  | { readonly outcome: ToolOutcome; readonly contexts: readonly ContextMessage[]; readonly failure?: never }
  | { readonly failure: string }

/** Turns what a `postExecute` hook answered into the outcome that it stands for. Never throws. */
export function decide(answer: Limited<unknown>, subject: DecisionSubject): Decided {
  if (answer.kind === 'threw') return { failure: `failed (${describeThrown(answer.error).message})` }
  if (answer.kind !== 'value') return { failure: 'did not answer in time' }
  try {
    const decided = read(answer.value, subject)
    if (decided) return decided
  } catch {
    // A getter that throws, contexts that are none: no decision either.
  }
  return { failure: 'gave no decision that can be understood' }
}

/** What a call comes to whose output a hook keeps back. */
export function withheld(failure: string): ToolOutcome {
  return withheldWith(
    `The tool ran. A policy hook ${failure}, so its output is withheld; do not repeat the call blindly.`,
  )
}

function withheldWith(text: string): ToolOutcome {
  return errorOutcome({ name: 'ToolError', code: RESULT_WITHHELD }, text)
}

/** Reads each property once: a hostile answer could change between two looks. */
function read(answer: unknown, subject: DecisionSubject): Decided | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { kind, content, value, feedback, contexts = [] } = answer as Readonly<Record<string, unknown>>
  if (!Array.isArray(contexts)) return undefined
  const outcome = applied({ kind, content, value, feedback }, subject)
  return (
    outcome && {
      outcome,
      contexts: contexts.map(readContextMessage).filter(context => context !== undefined),
    }
  )
}

interface Decision {
  readonly kind: unknown
  readonly content: unknown
  readonly value: unknown
  readonly feedback: unknown
}

function applied(decision: Decision, { outcome, ran, tool }: DecisionSubject): ToolOutcome | undefined {
  const { kind, content, value, feedback } = decision
  switch (kind) {
    case 'accept':
      return outcome
    case 'replace-content':
      return replaceContent(outcome, content)
    case 'replace-value':
      return tool && replaceValue(tool, value)
    case 'block':
      if (typeof feedback !== 'string') return undefined
      return ran
        ? withheldWith(`The tool ran; its output is withheld: ${feedback}`)
        : replaceContent(outcome, feedback)
    default:
      return undefined
  }
}

function replaceContent(outcome: ToolOutcome, content: unknown): ToolOutcome | undefined {
  const copy: unknown = typeof content === 'string' ? textContent(content) : snapshotJson(content)
  return isResultContent(copy) ? Object.freeze({ ...outcome, content: copy }) : undefined
}

function replaceValue(tool: Tool, value: unknown): ToolOutcome {
  try {
    return Object.freeze(tool.render(value))
  } catch (error) {
    return thrownOutcome(error)
  }
}
