import type { Message } from '@agent-spine/model'
import type { Finding } from './finding.js'
import { argumentFindings, batchFindings, callIdFindings } from './legality-calls.js'
import {
  callPlaceFindings,
  emptyMessageFindings,
  emptyTextFindings,
  firstMessageFindings,
} from './legality-content.js'

/** Whose rules a conversation is held to; `strict` is all of them. */
export type LegalityProfile = 'openai' | 'anthropic' | 'gemini' | 'strict'

/** Finds what breaks one rule. The `seq` of its findings is the position of the message. */
type LegalityRule = (messages: readonly Message[]) => Finding[]

const everywhere: readonly LegalityRule[] = [
  batchFindings,
  callIdFindings,
  argumentFindings,
  emptyMessageFindings,
]

const rules: Readonly<Record<LegalityProfile, readonly LegalityRule[]>> = {
  openai: everywhere,
  anthropic: [...everywhere, firstMessageFindings, emptyTextFindings],
  gemini: [...everywhere, firstMessageFindings, callPlaceFindings],
  strict: [...everywhere, firstMessageFindings, emptyTextFindings, callPlaceFindings],
}

/**
 * What a provider would refuse in a conversation, in message order; empty when it would take it. O(messages).
 *
 * @param seqs the log seq of each message, for findings to name. Without it they name the position of the message.
 */
export function legalityProblems(
  messages: readonly Message[],
  profile: LegalityProfile,
  seqs?: readonly number[],
): Finding[] {
  return rules[profile]
    .flatMap(rule => rule(messages))
    .sort((one, other) => one.seq - other.seq)
    .map(finding => ({ ...finding, seq: seqs?.[finding.seq] ?? finding.seq }))
}
