import { createSession, memoryStore, type Session } from '@agent-spine/session'
import type { ToolHooks } from '@agent-spine/tools'
import type { LanguageModel } from '@agent-spine/model'
import type { AgentHooks } from '../src/index.js'

/** Where the infrastructure is asked for something and may fail. */
export const faultPlaces = ['append', 'flush', 'stream', 'hook', 'tool-hook'] as const
export type FaultPlace = (typeof faultPlaces)[number]

export const infrastructureFault = new Error('the infrastructure failed')

/** Fails the n-th time that one place is reached, and from then on if it lasts, until it is healed. */
export interface Faults {
  readonly reach: (place: FaultPlace) => void
  readonly wasReached: () => boolean
  heal(): void
}

export function faultsAt(place: FaultPlace | 'nowhere', at: number, lasts: boolean): Faults {
  let times = 0
  let healed = false
  return {
    reach(reached) {
      if (reached !== place || healed) return
      times++
      if (lasts ? times >= at : times === at) throw infrastructureFault
    },
    wasReached: () => times >= at,
    heal: () => void (healed = true),
  }
}

export function faultySession({ reach }: Faults): Promise<Session> {
  const store = memoryStore()
  return createSession({
    id: 'test',
    clock: () => 1000,
    store: {
      ...store,
      create: async header => {
        const log = await store.create(header)
        return {
          append(events) {
            reach('append')
            log.append(events)
          },
          async flush() {
            reach('flush')
            await log.flush()
          },
          close: () => log.close(),
        }
      },
    },
  })
}

/** The model as it is, but for streams that break at their start, at any chunk, and at their end. */
export function faultyModel(model: LanguageModel, { reach }: Faults): LanguageModel {
  return {
    ...model,
    stream(request) {
      reach('stream')
      return (async function* () {
        for await (const chunk of model.stream(request)) {
          reach('stream')
          yield chunk
        }
        reach('stream')
      })()
    },
  }
}

export function faultyHooks({ reach }: Faults): AgentHooks {
  const pass = async <Decision>(_: unknown, next: () => Promise<Decision>): Promise<Decision> => {
    await Promise.resolve()
    reach('hook')
    const decision = await next()
    reach('hook')
    return decision
  }
  return { preStep: pass, request: pass, requestError: pass, turnStopping: pass, compact: pass }
}

export function faultyToolHooks({ reach }: Faults): ToolHooks {
  return {
    async preExecute() {
      await Promise.resolve()
      reach('tool-hook')
      return { kind: 'allow' }
    },
    async execute(_, next) {
      reach('tool-hook')
      const value = await next()
      reach('tool-hook')
      return value
    },
    async postExecute() {
      await Promise.resolve()
      reach('tool-hook')
      return { kind: 'accept' }
    },
  }
}
