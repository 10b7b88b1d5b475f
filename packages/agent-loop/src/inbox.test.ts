import { replaySession, type Session } from '@agent-spine/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openInbox, type Inbox } from './inbox.js'
import { userMessage } from './input.js'

const user = (id: string) => userMessage(id, { kind: 'user' }, id)
const plugin = (id: string) => userMessage(id, { kind: 'plugin', name: 'p' }, id)

function setup(events: Session['events'] = []) {
  const session = replaySession(events, { id: 'test' })
  return { session, inbox: openInbox(session) }
}

const ids = (inbox: Inbox, step: number) => inbox.look(step).map(({ inboxId }) => inboxId)

describe('the inbox', () => {
  it('I2: looking takes nothing; a first step sees one follow-up, others none', () => {
    const { inbox } = setup()
    inbox.insert('next-turn', user('f1'))
    inbox.insert('next-turn', user('f2'))
    inbox.insert('next-step', user('s1'))
    expect(ids(inbox, 0)).toEqual(['s1', 'f1'])
    expect(ids(inbox, 0)).toEqual(['s1', 'f1'])
    expect(ids(inbox, 1)).toEqual(['s1'])
  })

  it('I1: is what the log folds to, also for the next agent', () => {
    const { session, inbox } = setup()
    inbox.insert('next-turn', user('f1'))
    inbox.insert('next-step', plugin('p1'))
    inbox.insert('next-turn', user('f2')).withdraw()
    expect(ids(setup(session.events).inbox, 0)).toEqual(['p1', 'f1'])
  })

  it('I2: a receipt follows its input out, whoever appends the edit', async () => {
    const { session, inbox } = setup()
    session.subscribe(inbox.readOn)
    const receipt = inbox.insert('next-turn', user('f1'))
    expect(receipt.state).toBe('queued')
    session.append('inbox/spliced', {
      target: 'next-turn',
      start: 0,
      removed: ['f1'],
      inserted: [],
      outcome: 'committed',
    })
    expect(receipt.state).toBe('committed')
    expect(await receipt.settled).toBe('committed')
    expect(receipt.withdraw()).toBe(false)
  })

  it('a withdrawn input is returned', async () => {
    const { session, inbox } = setup()
    session.subscribe(inbox.readOn)
    const receipt = inbox.insert('next-step', user('s1'))
    expect(receipt.withdraw()).toBe(true)
    expect(await receipt.settled).toBe('returned')
    expect(inbox.extendsTurn()).toBe(false)
  })

  it('an input that the log refused leaves nothing behind', () => {
    const { session, inbox } = setup()
    session.guard(() => {
      throw new Error('no')
    })
    expect(() => inbox.insert('next-turn', user('f1'))).toThrow('no')
    expect(inbox.startsTurn()).toBe(false)
  })

  it('I3: only the user starts or extends a turn, and quiet input does not start one', () => {
    const { inbox } = setup()
    inbox.insert('next-step', plugin('p1'))
    expect([inbox.startsTurn(), inbox.extendsTurn()]).toEqual([false, false])
    const quiet = inbox.insert('next-step', user('q1'), 'quiet')
    expect([inbox.startsTurn(), inbox.extendsTurn()]).toEqual([false, true])
    quiet.withdraw()
    inbox.insert('next-turn', user('f1'))
    expect([inbox.startsTurn(), inbox.extendsTurn()]).toEqual([true, false])
  })

  it('settles what still waits as queued when it closes', async () => {
    const { inbox } = setup()
    const receipt = inbox.insert('next-turn', user('f1'))
    inbox.close()
    expect(await receipt.settled).toBe('queued')
  })

  it('removes any choice of inputs, keeping the order of the others, in one batch', () => {
    const outcomes = fc.constantFrom('committed', 'discarded', 'returned', undefined)
    fc.assert(
      fc.property(fc.array(outcomes, { maxLength: 12 }), choices => {
        const { session, inbox } = setup()
        const receipts = choices.map((_, index) => inbox.insert('next-step', user(`u${index}`)))
        session.appendAll(inbox.removal(({ inboxId }) => choices[Number(inboxId.slice(1))]))
        expect(receipts.map(({ state }) => state)).toEqual(choices.map(choice => choice ?? 'queued'))
        const kept = choices.flatMap((choice, index) => (choice === undefined ? [`u${index}`] : []))
        expect(ids(inbox, 1)).toEqual(kept)
      }),
    )
  })
})
