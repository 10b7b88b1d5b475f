import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** What a victim says of itself, in a file that has nothing to do with the session's. */
export type Evidence =
  /** What it is about to do. */
  | { readonly kind: 'phase'; readonly phase: Phase }
  | { readonly kind: 'created' }
  /** A flush resolved: everything up to `seq` is durable, and `digest` is its checksum. */
  | { readonly kind: 'durable'; readonly seq: number; readonly digest: number }
  /** An input was queued, and a flush resolved after that. */
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'begin' | 'end'; readonly callId: string }
  | { readonly kind: 'illegal-request' | 'finding'; readonly message: string }

export const phases = [
  'start',
  'open',
  'repair',
  'input',
  'flush',
  'stream',
  'calls',
  'body',
  'between',
  'close',
] as const
export type Phase = (typeof phases)[number]

/** Where the witnesses of one session write. */
export interface WitnessFiles {
  readonly evidence: string
  /** The side effects themselves: one call id a line. */
  readonly effects: string
}

export function witnessFiles(directory: string): WitnessFiles {
  return { evidence: join(directory, 'evidence.jsonl'), effects: join(directory, 'effects.txt') }
}

export interface Witness {
  /** Written before it returns; SIGKILL cannot take it back. */
  record(evidence: Evidence): void
  /** The same, and on the device. */
  recordDurably(evidence: Evidence): void
  /** The side effect of a call. */
  effect(callId: string): void
  /** Notes a phase once, when it begins, and tells whoever waits at the other end of `stdout` for a moment to kill. */
  enter(phase: Phase): void
  close(): void
}

const stdout = 1

/** A line of a file of evidence. */
export function evidenceLine(evidence: Evidence): string {
  return `${JSON.stringify(evidence)}\n`
}

export function openWitness(files: WitnessFiles): Witness {
  const evidenceFile = openSync(files.evidence, 'a')
  const effectsFile = openSync(files.effects, 'a')
  let entered: Phase | undefined
  const record = (evidence: Evidence) => void writeSync(evidenceFile, evidenceLine(evidence))
  return {
    record,
    recordDurably(evidence) {
      record(evidence)
      fsyncSync(evidenceFile)
    },
    effect(callId) {
      writeSync(effectsFile, `${callId}\n`)
      fsyncSync(effectsFile)
    },
    enter(phase) {
      if (phase === entered) return
      entered = phase
      record({ kind: 'phase', phase })
      writeSync(stdout, `${phase}\n`)
    },
    close() {
      closeSync(evidenceFile)
      closeSync(effectsFile)
    },
  }
}

/** Everything that was witnessed of a session so far. */
export function readEvidence(files: WitnessFiles): {
  readonly evidence: readonly Evidence[]
  readonly effects: readonly string[]
} {
  return {
    evidence: linesOf(files.evidence).map(line => JSON.parse(line) as Evidence),
    effects: linesOf(files.effects),
  }
}

/** One write is one line: a kill leaves no part of one. */
function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}
