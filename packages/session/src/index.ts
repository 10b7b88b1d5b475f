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
export type { Session, SessionGuard, SessionObserver } from './session.js'
export type { OpenedSession, RecoveredTail, SessionHeader, SessionLog, SessionStore } from './store.js'
