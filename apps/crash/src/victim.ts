import { argv } from 'node:process'
import { createAgent, type Agent } from '@agent-spine/agent-loop'
import { guardModel, guardSession, legalityProblems, type LegalityProfile } from '@agent-spine/invariant'
import type { LanguageModel } from '@agent-spine/model'
import { scriptedModel } from '@agent-spine/model/testing'
import { createSession, openSession, SessionNotFoundError, type Session } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { openWitness, witnessFiles, type Witness } from './evidence.js'
import { notingTools } from './noting-tools.js'
import { createRandom, drawCount, type Random } from './random.js'
import { drawScript } from './script.js'
import { witnessedStore } from './witnessed-store.js'
import { sessionId, type VictimOrders } from './orders.js'

/** A process that works on a session until it is killed. Its one argument says what to do. */

const orders = JSON.parse(argv[2] ?? '{}') as VictimOrders
const random = createRandom(orders.seed)
const witness = openWitness(witnessFiles(orders.directory))

const session = await takeSession()
witness.enter('repair')
const onFinding = ({ code, message }: { readonly code: string; readonly message: string }) =>
  witness.record({ kind: 'finding', message: `${code}: ${message}` })
guardSession(session, { on: onFinding })
const model = scriptedModel(drawScript(random, `run${orders.run}`))
const agent = createAgent({
  session,
  model: guardModel(judged(model), session, { mode: 'full', on: onFinding }),
  tools: notingTools(witness, random),
  retry: { maxRetries: 2, baseDelayMs: 1, random },
  maxSteps: 6,
  maxParallelToolCalls: 3,
  abortGraceMs: 2,
})
watchPhases(agent)
await (orders.finish ? finish(agent) : work(agent, random))
await agent.dispose()
witness.enter('close')
await session.close()
witness.close()

async function takeSession(): Promise<Session> {
  witness.enter('open')
  const store = witnessedStore(jsonlStore(orders.directory), witness, orders.plant)
  try {
    return await openSession(store, sessionId)
  } catch (error) {
    if (!SessionNotFoundError.is(error)) throw error
    return createSession({ store, id: sessionId })
  }
}

/** `model`, with a judge in front of it who knows what providers take. */
function judged(model: LanguageModel): LanguageModel {
  const profiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']
  return {
    ...model,
    stream(request) {
      for (const profile of profiles) {
        const [problem] = legalityProblems(request.messages, profile)
        if (problem) witness.record({ kind: 'illegal-request', message: `${profile}: ${problem.message}` })
      }
      return model.stream(request)
    },
  }
}

function watchPhases(agent: Agent): void {
  agent.on('chunk', () => witness.enter('stream'))
  agent.on('tool-start', () => witness.enter('calls'))
  agent.on('turn-end', () => witness.enter('between'))
}

async function finish(agent: Agent): Promise<void> {
  await agent.prompt('Is everything done?')
  await agent.whenIdle()
}

async function work(agent: Agent, random: Random): Promise<void> {
  const inputs = inputSender(agent, witness)
  agent.on('chunk', () => {
    if (random() < 0.01) inputs.send('steer')
  })
  agent.on('tool-end', () => {
    if (random() < 0.1) inputs.send('steer')
    if (random() < 0.03) inputs.send('inject')
    if (random() < 0.03) agent.cancel({ kind: 'user' }, { keepInbox: random() < 0.5 })
  })
  for (let turn = 0; turn < 3; turn++) {
    const count = drawCount(random, 1, 2)
    for (let input = 0; input < count; input++) inputs.send('followup')
    await agent.whenIdle()
  }
  await inputs.settled()
}

type InputKind = 'followup' | 'steer' | 'inject'

function inputSender(agent: Agent, witness: Witness) {
  let sent = 0
  const promises = new Set<Promise<void>>()

  async function promise(text: string): Promise<void> {
    witness.enter('flush')
    await agent.session.flush()
    witness.record({ kind: 'input', text })
  }

  return {
    send(kind: InputKind): void {
      const text = `input ${orders.run}.${sent++} by ${kind}`
      witness.enter('input')
      agent[kind](text)
      promises.add(promise(text))
    },
    settled: () => Promise.all(promises),
  }
}
