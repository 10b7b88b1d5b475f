import type { AssistantBlock } from '@agent-spine/model'
import { deriveMessages, type EventDraft } from '@agent-spine/session'
import { describe, expect, it } from 'vitest'
import { assistantDraft, callBlock, userDraft, writeLog } from './sample-log.js'
import { Surface } from './surface.js'

const signed: AssistantBlock = { type: 'reasoning', text: 'signed', replay: { signature: 'x' } }
const unsigned: AssistantBlock = { type: 'reasoning', text: 'unsigned' }
const blank: AssistantBlock = { type: 'text', text: ' \n' }
const text: AssistantBlock = { type: 'text', text: 'yes' }
const image: AssistantBlock = {
  type: 'image',
  mediaType: 'image/png',
  data: { kind: 'url', url: 'a' },
}

function answer(content: AssistantBlock[], interrupted: boolean): EventDraft {
  const draft = assistantDraft(0, content, [])
  return interrupted ? { ...draft, data: { ...draft.data, interrupted } } : draft
}

/** The content that an answer derives to, by both readings; nothing where it is not derived. */
function derived(content: AssistantBlock[], interrupted: boolean): unknown {
  const events = writeLog([answer(content, interrupted)])
  const surface = new Surface()
  for (const event of events) surface.add(event)
  const messages = surface.derived.map(({ message }) => message)
  expect(JSON.stringify(messages)).toBe(JSON.stringify(deriveMessages(events)))
  return messages[0]?.content
}

describe('what an answer derives to (U2)', () => {
  it.each<[string, AssistantBlock[], boolean, AssistantBlock[] | undefined]>([
    ['complete: all reasoning stays', [unsigned, signed, text], false, [unsigned, signed, text]],
    ['interrupted: only signed reasoning stays', [unsigned, signed, text], true, [signed, text]],
    ['blank text goes', [blank, text], false, [text]],
    ['a call stays without text', [blank, callBlock('a')], false, [callBlock('a')]],
    ['an image stays without text', [image], true, [image]],
    ['reasoning alone is not derived, signed or not', [signed, unsigned], false, undefined],
    ['signed reasoning alone is not derived when interrupted', [signed], true, undefined],
    ['blank text alone is not derived', [blank], false, undefined],
    ['nothing is not derived', [], false, undefined],
  ])('%s', (...[, content, interrupted, expected]) => {
    expect(derived(content, interrupted)).toEqual(expected)
  })
})

it('a replacement of what is not there is taken as an addition', () => {
  const surface = new Surface()
  const replacement: EventDraft = { ...userDraft('s'), surfaceOp: { replace: { start: 7, end: 9 } } }
  for (const event of writeLog([userDraft('u'), replacement])) surface.add(event)
  expect(surface.derived.map(({ message }) => message.id)).toEqual(['u', 's'])
})
