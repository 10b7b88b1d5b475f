import type { AgentHooks } from '../src/index.js'
import { linger, type World } from './world.js'

/** Hooks that mostly let pass, and sometimes rewrite, add, drop, block, throw or hang on a while. */
export function randomHooks(world: World): AgentHooks {
  const { random, trouble } = world
  const moment = async (): Promise<void> => {
    await linger(world)
    world.meddle()
    if (random.chance(trouble.hooks / 4)) throw new Error('the hook failed')
  }
  return {
    async preStep({ input }, next) {
      await moment()
      if (random.chance(trouble.hooks / 4)) return { kind: 'reject' }
      if (random.chance(trouble.hooks / 4)) return { kind: 'enter', input: input.slice(1) }
      if (random.chance(trouble.hooks / 4)) return { kind: 'enter', input, added: ['a reminder'] }
      if (random.chance(trouble.hooks / 8)) return { kind: 'enter', input, added: [' '] }
      return next()
    },
    async request({ config }, next) {
      await moment()
      return random.chance(trouble.hooks / 2) ? { ...config, temperature: random.below(3) } : next()
    },
    async requestError(_, next) {
      await moment()
      return random.chance(trouble.hooks / 2) ? { kind: 'retry', delayMs: random.below(20) } : next()
    },
    async turnStopping(_, next) {
      await moment()
      return random.chance(trouble.hooks / 4) ? { kind: 'continue', message: 'and also' } : next()
    },
    async compact({ session }, next) {
      await moment()
      if (random.chance(50)) return next()
      const start = session.events.find(({ type }) => type === 'user/message')?.seq
      if (start === undefined) return random.chance(50)
      const message = {
        id: `summary_${session.events.length}`,
        role: 'user' as const,
        source: { kind: 'plugin' as const, name: 'compact' },
        content: [{ type: 'text' as const, text: 'a summary' }],
      }
      session.append('user/message', { message }, { surfaceOp: { replace: { start, end: start } } })
      return true
    },
  }
}
