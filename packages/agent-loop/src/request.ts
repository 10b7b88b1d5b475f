import type { ModelConfig, ModelRequest } from '@agent-spine/model'
import type { AttemptScope, EventDraft, RequestHeader, Session, SessionEvent } from '@agent-spine/session'
import { untilAborted } from './abort.js'
import { hookLayers, runHooks } from './hooks.js'
import type { Loop, Turn } from './loop.js'

/** The draft that logs the header of the next request: none where the log has it already. */
export async function headerDraft(turn: Turn, scope: AttemptScope): Promise<EventDraft<'request/header'>[]> {
  const { loop, signal } = turn
  const { session, hooks } = loop
  const context = { ...scope, session, signal, config: loop.config }
  const config = await runHooks(hookLayers(hooks, 'request'), context, () => Promise.resolve(loop.config))
  const header = requestHeader(loop, config)
  const logged = session.requestHeader()
  if (logged !== undefined && sameJson(logged, header)) return []
  return [{ type: 'request/header', data: { header, reason: changeReason(session, logged) } }]
}

function requestHeader({ system, tools }: Loop, config: ModelConfig): RequestHeader {
  const schemas = tools.schemas()
  return { config, ...(system !== undefined && { system }), ...(schemas.length > 0 && { tools: schemas }) }
}

/** `resume` where the logged header is older than this writer: than the latest `session/owner` or end of a seed. */
function changeReason(
  session: Session,
  logged: RequestHeader | undefined,
): SessionEvent<'request/header'>['data']['reason'] {
  if (logged === undefined) return 'initial'
  const latest = session.events.findLast(
    ({ type }) => type === 'request/header' || type === 'session/owner' || type === 'session/end-seed',
  )
  return latest?.type === 'request/header' ? 'change' : 'resume'
}

/**
 * The request for the attempt that was just started. It is what the log says, and leaves only once all of that is
 * durable: what was appended while the log was flushed is flushed again.
 */
export async function durableRequest({ loop, signal }: Turn): Promise<ModelRequest> {
  const { session } = loop
  let length: number
  do {
    length = session.events.length
    await untilAborted(session.flush(), signal)
  } while (session.events.length > length)
  const header = session.requestHeader() ?? { config: loop.config }
  return Object.freeze({
    messages: Object.freeze(session.deriveMessages()),
    ...header,
    sessionId: session.id,
    signal,
  })
}

/** Whether two JSON values are equal, whatever the order of their keys. `undefined` counts as absent. */
function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [leftEntries, rightEntries] = [definedEntries(left), definedEntries(right)]
  if (leftEntries.length !== rightEntries.length) return false
  return leftEntries.every(([key, value]) => sameJson(value, (right as Record<string, unknown>)[key]))
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined)
}
