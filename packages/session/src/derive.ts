import type { Message } from '@agent-spine/model'
import type { SessionEvent } from './event.js'

export declare function deriveMessages(events: readonly SessionEvent[]): Message[]
