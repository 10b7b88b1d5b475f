import { button, element } from './element.js'

const keys: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'the event above or below'],
  ['← →', 'the call before or after'],
  ['Home End', 'the first or last event (in the waterfall: call)'],
  ['Page Up, Page Down', 'twenty events further'],
  ['n p', 'the next or previous call to look at'],
  ['/', 'search the log'],
  ['1 2 3 4', 'log, conversation, checks, tokens'],
  ['+ − 0', 'zoom the waterfall in or out, show all of it'],
  ['t', 'theme: of the system, light, dark'],
  ['?', 'this help'],
  ['Esc', 'close the help or the details, clear the search'],
]

/** The keys, in a dialog. */
export function helpDialog(): HTMLDialogElement {
  const dialog = element(
    'dialog',
    { class: 'help', attributes: { 'aria-label': 'Keys' } },
    element('h2', { text: 'Keys' }),
    element(
      'dl',
      {},
      ...keys.flatMap(([key, what]) => [element('dt', { text: key }), element('dd', { text: what })]),
    ),
    element('h2', { text: 'Reading the waterfall' }),
    element('p', {
      text:
        'A lane holds one call at a time, from its start until its result is committed. Results commit in the order the ' +
        'model asked, so a call that is done early waits for its turn; how long is known only where its result says how ' +
        'long it took. Where a process died, a bar reaches to the last event it wrote and fades out: nobody knows when what ' +
        'ran there ended. A call that never started took no slot; its mark is in a lane below the slots. A barrier is where a call started only after all before it had committed.',
    }),
  )
  dialog.append(button('Close', () => dialog.close()))
  return dialog
}
