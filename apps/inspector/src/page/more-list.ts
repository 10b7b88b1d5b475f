import { button, element } from './element.js'
import { formatCount } from './format.js'

const pageLength = 200

/** Adds items to a list, some at a time: a button at its end adds more. */
export function fillMoreList<Item>(
  list: HTMLElement,
  items: readonly Item[],
  toElement: (item: Item) => HTMLElement,
): void {
  list.replaceChildren()
  let shown = 0
  const more = button('', addPage, { class: 'more' })

  function addPage(): void {
    more.remove()
    list.append(...items.slice(shown, shown + pageLength).map(toElement))
    shown = Math.min(items.length, shown + pageLength)
    if (shown === items.length) return
    more.textContent = `Show more (${formatCount(items.length - shown)} left)`
    list.append(list.tagName === 'TBODY' ? element('tr', {}, element('td', {}, more)) : more)
  }

  addPage()
}
