import type { Checks } from '../checks.js'
import type { Inspection } from '../inspection.js'
import type { PageAbout } from '../page-document.js'

/** What a live page knows of its server. */
export type Connection = 'none' | 'following' | 'lost' | 'ended'

export const tabs = ['log', 'conversation', 'checks', 'tokens'] as const
export type Tab = (typeof tabs)[number]

/** What the parts of the page share. */
export interface PageState {
  readonly about: PageAbout
  readonly inspection: Inspection
  /** Not yet known while the page is new. */
  readonly checks: Checks | undefined
  readonly connection: Connection
  /** The event that is looked at. */
  readonly selected: number | undefined
  /** The call that is looked at. The selected event is one of its own, or the message that asks for it. */
  readonly selectedCall: string | undefined
  readonly tab: Tab
  /** The event after which the conversation is shown. */
  readonly conversationSeq: number
}

/** How a part of the page asks for something. */
export interface PageActions {
  readonly select: (seq: number | undefined) => void
  readonly selectCall: (callId: string) => void
  readonly openTab: (tab: Tab) => void
  readonly showConversation: (seq: number) => void
  readonly filterLog: (query: string) => void
}

/** A part of the page. */
export interface PagePart {
  readonly element: HTMLElement
  /** Shows the state. `previous` is what it showed before. */
  show(state: PageState, previous: PageState | undefined): void
}
