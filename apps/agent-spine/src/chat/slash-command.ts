/** What a line at the prompt asks for. */
export type ChatInput =
  | { readonly kind: 'say' | 'steer'; readonly text: string }
  | { readonly kind: 'withdraw' | 'help' | 'exit' }
  | { readonly kind: 'unknown'; readonly name: string }

/** A line that begins with `/word` is a command; with a blank before it, or with a second slash in the word, it is text. */
export function readChatInput(line: string): ChatInput {
  const match = /^\/([a-z]+)(?:\s+([^]*))?$/i.exec(line)
  if (match === null) return { kind: 'say', text: line }
  const [, name = '', rest = ''] = match
  switch (name) {
    case 'steer':
      return { kind: 'steer', text: rest }
    case 'withdraw':
    case 'help':
    case 'exit':
      return { kind: name }
    case 'quit':
      return { kind: 'exit' }
    default:
      return { kind: 'unknown', name }
  }
}

export const chatHelp = `  Enter             send; while the model works: after this turn
  Alt-Enter         while the model works: into this turn, at its next step
  /steer TEXT       the same
  /withdraw         take back what was queued last
  Ctrl-C            cancel what the model does; at an empty prompt twice: leave
  Ctrl-D, /exit     leave; the session can be continued
  Up, Down          what you sent before
  /help             this
  A line that shall begin with a slash: write a blank before it.
`
