import type { ContentBlock, Message } from '@agent-spine/model'
import {
  conversationAt,
  conversationChange,
  repairedConversationAt,
  type ConversationChange,
} from '../conversation-at.js'
import { visibleText } from '../visible-text.js'
import { button, element, oncePerFrame } from './element.js'
import { formatCount, plural } from './format.js'
import { longText, prettyJson } from './long-text.js'
import type { PageActions, PagePart, PageState } from './page-state.js'

const shownMessages = 40

/** The conversation that the log stands for after any of its events. */
export function conversationPanel(actions: PageActions): PagePart {
  let state: PageState | undefined
  let shownCount = shownMessages
  const slider = element('input', {
    attributes: { type: 'range', min: '0', step: '1', 'aria-label': 'After event seq' },
  })
  const seqLabel = element('output', { class: 'at' })
  const repaired = element('input', { attributes: { type: 'checkbox' } })
  const said = element('p', { class: 'note', attributes: { role: 'status' } })
  const list = element('div', { class: 'messages' })
  const draw = oncePerFrame(drawNow)

  slider.addEventListener('input', () => actions.showConversation(Number(slider.value)))
  repaired.addEventListener('change', draw)

  function drawNow(): void {
    if (state?.tab !== 'conversation') return
    const { inspection, conversationSeq: seq } = state
    const { surface, events } = inspection
    const before = conversationAt(surface, seq - 1)
    const plain = conversationAt(surface, seq)
    const messages = repaired.checked ? repairedConversationAt(events, seq) : plain
    const change = conversationChange(repaired.checked ? plain : before, messages)
    seqLabel.textContent = `after seq ${seq}: ${visibleText(events[seq]?.type ?? 'nothing')}`
    said.textContent = changeText(messages, change, repaired.checked)
    const shown = messages.slice(-shownCount)
    const hidden = messages.length - shown.length
    list.replaceChildren(
      ...(hidden > 0
        ? [
            button(`Show earlier messages (${formatCount(hidden)})`, () => {
              shownCount += shownMessages
              drawNow()
            }),
          ]
        : []),
      ...shown.map(message => messageElement(message, change.added.has(message.id))),
      ...(messages.length === 0 ? [element('p', { class: 'empty', text: 'No message yet.' })] : []),
    )
    list.scrollTop = list.scrollHeight
  }

  /** The next event, in one direction, that changes the conversation. */
  function step(direction: 1 | -1): void {
    if (state === undefined) return
    const { inspection, conversationSeq } = state
    const seqs = inspection.surface.map(({ seq }) => seq)
    const next =
      direction === 1 ? seqs.find(seq => seq > conversationSeq) : seqs.findLast(seq => seq < conversationSeq)
    actions.showConversation(next ?? (direction === 1 ? inspection.events.length - 1 : 0))
  }

  return {
    element: element(
      'div',
      { class: 'panel conversation' },
      element(
        'div',
        { class: 'controls' },
        button('◀', () => step(-1), {
          title: 'The message before',
          attributes: { 'aria-label': 'The message before' },
        }),
        slider,
        button('▶', () => step(1), {
          title: 'The next message',
          attributes: { 'aria-label': 'The next message' },
        }),
        seqLabel,
        element(
          'label',
          { title: 'What the next request would be if the process died here' },
          repaired,
          'if it died here',
        ),
      ),
      said,
      list,
    ),
    show(next, previous) {
      const isSame =
        previous?.inspection === next.inspection &&
        previous.conversationSeq === next.conversationSeq &&
        previous.tab === next.tab
      state = next
      slider.max = String(Math.max(0, next.inspection.events.length - 1))
      slider.value = String(next.conversationSeq)
      if (!isSame) draw()
    },
  }
}

function changeText(messages: readonly Message[], change: ConversationChange, isRepaired: boolean): string {
  const { added, removed } = change
  const count = plural(messages.length, 'message')
  if (isRepaired) {
    return `${count}; repair would add ${added.size === 0 ? 'none' : String(added.size)}, marked here.`
  }
  const parts = [
    ...(added.size > 0 ? [`adds ${added.size}`] : []),
    ...(removed > 0 ? [`takes ${removed} off the surface`] : []),
  ]
  return `${count}; this event ${parts.length === 0 ? 'changes none' : parts.join(' and ')}.`
}

function messageElement(message: Message, isNew: boolean): HTMLElement {
  const { source } = message
  const by = source.kind === 'model' ? `${source.provider}:${source.model}` : source.kind
  const kind = source.kind === 'tool' ? 'tool' : message.role
  return element(
    'article',
    { class: `message ${kind}${isNew ? ' is-new' : ''}` },
    element('h3', { text: `${kind === 'tool' ? 'tool result' : message.role}${isNew ? ' (new here)' : ''}` }),
    element('span', { class: 'note', text: visibleText(by) }),
    ...message.content.map(blockElement),
  )
}

function blockElement(block: ContentBlock): HTMLElement {
  switch (block.type) {
    case 'text':
      return longText(block.text)
    case 'reasoning':
      return element('div', { class: 'reasoning' }, element('b', { text: 'reasoning' }), longText(block.text))
    case 'image':
      return element('p', { class: 'image', text: `[image, ${visibleText(block.mediaType)}]` })
    case 'tool-call':
      return element(
        'div',
        { class: 'call' },
        element('b', { text: `→ ${visibleText(block.name)}` }),
        element('code', { text: visibleText(block.id) }),
        longText(prettyJson(block.arguments)),
      )
    case 'tool-result':
      return element(
        'div',
        { class: block.isError === true ? 'result bad' : 'result' },
        element('b', { text: block.isError === true ? 'error of' : 'result of' }),
        element('code', { text: visibleText(block.toolCallId) }),
        ...block.content.map(blockElement),
      )
  }
}
