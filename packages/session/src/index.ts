export type { Conversation } from './conversation.js'
export {
  createSession,
  forkSession,
  openSession,
  replaySession,
  type CreateSessionOptions,
  type ForkSessionOptions,
  type OpenSessionOptions,
  type ReplaySessionOptions,
  type SessionOptions,
} from './create-session.js'
export { deriveMessages } from './derive.js'
export {
  EventRefusedError,
  InvalidSessionIdError,
  SessionClosedError,
  SessionConflictError,
  SessionExistsError,
  SessionLockedError,
  SessionNotFoundError,
  type EventRefusal,
} from './errors.js'
export type {
  AbortCause,
  AttemptScope,
  EventDraft,
  EventOptions,
  InboxSplice,
  QueuedInput,
  RequestHeader,
  SessionEvent,
  SessionEventMap,
  SessionEventType,
  StepScope,
  SurfaceOp,
  ToolCallData,
  ToolResultData,
  TurnEndReason,
} from './event.js'
export { memoryStore } from './memory-store.js'
export type { Session, SessionGuard, SessionObserver } from './session.js'
export { assertSessionId } from './session-id.js'
export type { OpenedSession, RecoveredTail, SessionHeader, SessionLog, SessionStore } from './store.js'
