import { type Edit, type Place } from './line-editor.js'

/** What a person at the prompt wants with a key, or with a paste. */
export type Key =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | { readonly kind: 'send' | 'steer' | 'interrupt' | 'end' | 'suspend' | 'redraw' }

/** A key as `node:readline` tells of it. */
export interface RawKey {
  readonly name?: string | undefined
  readonly ctrl?: boolean
  readonly meta?: boolean
}

/** Turns the keys of a terminal into what they mean. What is pasted is one insertion, new lines included. */
export function createKeyReader(): (text: string | undefined, key: RawKey) => Key | undefined {
  let pasted: string[] | undefined

  return (text, key) => {
    if (key.name === 'paste-start') {
      pasted = []
      return undefined
    }
    if (key.name === 'paste-end') {
      const all = pasted?.join('') ?? ''
      pasted = undefined
      return inserted(all)
    }
    if (pasted === undefined) return meaning(text, key)
    pasted.push(text ?? '')
    return undefined
  }
}

const named: Readonly<Record<string, Key>> = {
  return: { kind: 'send' },
  enter: { kind: 'send' },
  'meta-return': { kind: 'steer' },
  'meta-enter': { kind: 'steer' },
  'ctrl-c': { kind: 'interrupt' },
  'ctrl-d': { kind: 'end' },
  'ctrl-z': { kind: 'suspend' },
  'ctrl-l': { kind: 'redraw' },
  up: { kind: 'edit', edit: { kind: 'older' } },
  'ctrl-p': { kind: 'edit', edit: { kind: 'older' } },
  down: { kind: 'edit', edit: { kind: 'newer' } },
  'ctrl-n': { kind: 'edit', edit: { kind: 'newer' } },
  left: move('left'),
  'ctrl-b': move('left'),
  right: move('right'),
  'ctrl-f': move('right'),
  home: move('start'),
  'ctrl-a': move('start'),
  end: move('end'),
  'ctrl-e': move('end'),
  'ctrl-left': move('word-left'),
  'meta-left': move('word-left'),
  'meta-b': move('word-left'),
  'ctrl-right': move('word-right'),
  'meta-right': move('word-right'),
  'meta-f': move('word-right'),
  backspace: deleteTo('left'),
  'ctrl-h': deleteTo('left'),
  delete: deleteTo('right'),
  'ctrl-u': deleteTo('start'),
  'ctrl-k': deleteTo('end'),
  'ctrl-w': deleteTo('word-left'),
  'meta-backspace': deleteTo('word-left'),
  'meta-d': deleteTo('word-right'),
}

function meaning(text: string | undefined, { name = '', ctrl, meta }: RawKey): Key | undefined {
  const pressed = `${ctrl ? 'ctrl-' : ''}${meta ? 'meta-' : ''}${name}`
  const known = Object.hasOwn(named, pressed) ? named[pressed] : undefined
  if (known !== undefined) return known
  return text === undefined || ctrl || meta || isControl(text) ? undefined : inserted(text)
}

function isControl(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return text !== '\t' && (code < 0x20 || (code >= 0x7f && code < 0xa0))
}

function inserted(text: string): Key {
  return { kind: 'edit', edit: { kind: 'insert', text } }
}

function move(to: Place): Key {
  return { kind: 'edit', edit: { kind: 'move', to } }
}

function deleteTo(to: Place): Key {
  return { kind: 'edit', edit: { kind: 'delete', to } }
}
