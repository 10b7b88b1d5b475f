import type {
  AssistantMessage,
  LlmFailure,
  ModelConfig,
  StreamChunk,
  TokenUsage,
  ToolSchema,
  UserMessage,
} from '@agent-spine/model'
import type { JsonValue } from '@agent-spine/schema'

/** Names one step of one turn. Both count from 0: turns over the session, steps within their turn. */
export interface StepScope {
  readonly turn: number
  readonly step: number
}

/** Names one model call: attempts count from 0 within their step. */
export interface AttemptScope extends StepScope {
  readonly attempt: number
}

/** Who cancelled. */
export type AbortCause =
  { readonly kind: 'user' | 'parent' | 'disposed' } | { readonly kind: 'hook'; readonly reason: string }

/** How a turn ended. `interrupted` is written by repair only. */
export type TurnEndReason =
  | { readonly kind: 'completed' | 'blocked' | 'max-tokens' | 'max-steps' | 'interrupted' }
  | { readonly kind: 'aborted'; readonly cause: AbortCause }
  | { readonly kind: 'error'; readonly failure: LlmFailure }

/** The part of a request that is not conversation. */
export interface RequestHeader {
  readonly config: ModelConfig
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
}

/** Input that waits in the inbox. Only `user` input wakes, extends a turn or is discarded. */
export interface QueuedInput {
  readonly inboxId: string
  readonly message: UserMessage
}

/** A durable edit of one inbox queue: `removed` items from `start`, `inserted` in their place. */
export interface InboxSplice {
  readonly target: 'next-turn' | 'next-step'
  readonly start: number
  /** The `inboxId`s taken out, in queue order. */
  readonly removed: readonly string[]
  readonly inserted: readonly QueuedInput[]
  /** What became of the removed input; absent where nothing was removed. */
  readonly outcome?: 'committed' | 'returned' | 'discarded'
}

/** What a `tool/result`, `tool/late` or `tool/sub-result` holds. */
export interface ToolResultData extends StepScope {
  /** A user message with one `tool-result` block. */
  readonly message: UserMessage
  readonly error?: { readonly name: string; readonly code?: string }
  readonly meta?: JsonValue
}

/** What a `tool/call` or `tool/sub-call` holds: `arguments` is the raw text the model wrote. */
export interface ToolCallData extends StepScope {
  readonly callId: string
  readonly providerId?: string
  readonly name: string
  readonly arguments: string
  /** The call was cancelled before anything of it was started. */
  readonly skipped?: true
}

/** The event types that this version knows by itself. */
export interface CoreEventMap {
  /** `dispatchMarked`: this turn writes `tool/dispatch`, so a call without one never ran. */
  'turn/start': { readonly turn: number; readonly dispatchMarked?: true }
  'turn/end': { readonly turn: number; readonly reason: TurnEndReason }
  'step/start': StepScope
  'step/end': StepScope
  'inbox/spliced': InboxSplice
  'user/message': { readonly message: UserMessage; readonly inboxId?: string }
  'attempt/start': AttemptScope
  'attempt/end': AttemptScope & { readonly failure?: LlmFailure; readonly usage?: TokenUsage }
  'assistant/chunk': AttemptScope & { readonly chunk: StreamChunk }
  'assistant/message': StepScope & {
    readonly message: AssistantMessage
    readonly usage?: TokenUsage
    /** A partial answer kept because its stream did not finish. */
    readonly interrupted?: true
  }
  'tool/call': ToolCallData
  /** Appended, and durable, immediately before the body runs. */
  'tool/dispatch': { readonly callId: string }
  'tool/result': ToolResultData
  /** An outcome that came after its call's result was committed or given up. Off the surface. */
  'tool/late': ToolResultData
  'tool/sub-call': ToolCallData & { readonly parentCallId: string }
  'tool/sub-result': ToolResultData & { readonly parentCallId: string }
  'request/header': { readonly header: RequestHeader; readonly reason: 'initial' | 'resume' | 'change' }
  /** Who writes from here on. `lostTail`: recovery cut more than a plain crash tears off. */
  'session/owner': { readonly owner: string; readonly lostTail?: true }
  /** Where replayed or copied history ends. */
  'session/end-seed': { readonly from?: string }
}

/**
 * Every event type with its data. Merge-extensible: declare `module '@agent-spine/session'`, add to this interface, and
 * name the type in `eventTypes` when you create or open a session, or mark its events `ignorable`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the body is for others to fill
export interface SessionEventMap extends CoreEventMap {}

export type SessionEventType = keyof SessionEventMap

/**
 * How an event joins the surface, the ordered events that the model sees. `user/message`, `assistant/message` and
 * `tool/result` always join it, by `append` where nothing else is said; other events never do. Range ends are inclusive
 * seqs of events on the surface.
 */
export type SurfaceOp = 'append' | { readonly replace: { readonly start: number; readonly end: number } }

/** What every event may carry beside type and data. */
export interface EventOptions {
  readonly surfaceOp?: SurfaceOp
  /** Seqs of the events this one was made from, ascending. */
  readonly sourceEventSeqs?: readonly number[]
  /** Added by repair. */
  readonly closer?: true
  /** A version that does not know the type may skip the event. Never on the surface. */
  readonly ignorable?: true
}

/** An event as a caller proposes it. */
export type EventDraft<T extends SessionEventType = SessionEventType> = {
  [K in T]: EventOptions & {
    readonly type: K
    readonly data: SessionEventMap[K]
    /** Of closers only, so that a log is always repaired to the same bytes. Any other event is stamped by the session's clock. */
    readonly time?: number
  }
}[T]

/** An event as the log holds it: deeply frozen, `seq` contiguous from 0, `time` in milliseconds since 1970. */
export type SessionEvent<T extends SessionEventType = SessionEventType> = {
  [K in T]: EventOptions & {
    readonly seq: number
    readonly time: number
    readonly type: K
    readonly data: SessionEventMap[K]
  }
}[T]
