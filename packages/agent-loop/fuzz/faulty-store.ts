import { memoryStore, type SessionStore } from '@agent-spine/session'
import { linger, type World } from './world.js'

/** A store that sometimes takes an append not, or cannot make it durable; sometimes once, sometimes until it is healed. */
export function faultyStore(world: World): SessionStore {
  const { random, trouble } = world
  const store = memoryStore()
  let broken = false

  function mayFail(): void {
    if (trouble.store === 0) broken = false
    if (!broken && !random.chance(trouble.store / 4)) return
    broken = random.chance(50)
    throw new Error('the disk is full')
  }

  return {
    ...store,
    create: async header => {
      const log = await store.create(header)
      return {
        append(events) {
          mayFail()
          log.append(events)
        },
        close: () => log.close(),
        async flush() {
          await linger(world)
          world.meddle()
          mayFail()
          await log.flush()
        },
      }
    },
  }
}
