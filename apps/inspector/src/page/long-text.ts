import { visibleText } from '../visible-text.js'
import { button, element } from './element.js'
import { formatCount } from './format.js'

const shownLength = 4000

/** A text as it is, with its start only where it is long, until somebody asks for all of it. */
export function longText(text: string, className = 'text'): HTMLElement {
  const block = element('pre', {
    class: className,
    text: visibleText(text.slice(0, shownLength).toWellFormed()),
  })
  if (text.length <= shownLength) return block
  const more = button(`Show all ${formatCount(text.length)} characters`, () => {
    block.textContent = visibleText(text)
    more.remove()
  })
  return element('div', { class: 'long-text' }, block, more)
}

/** JSON text with its structure shown; any other text as it is. */
export function prettyJson(text: string): string {
  if (text.length > 200_000) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
