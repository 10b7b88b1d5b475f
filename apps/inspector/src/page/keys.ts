/** What the keys do. */
export interface KeyActions {
  moveEvent(by: number): void
  moveCall(where: 'next' | 'previous' | 'first' | 'last'): void
  moveProblem(by: 1 | -1): void
  edge(where: 'first' | 'last'): void
  search(): void
  tab(index: number): void
  zoom(factor: number): void
  fit(): void
  theme(): void
  help(): void
  escape(): void
}

const pageOfRows = 20

/** Listens to the keys of the page, and leaves those alone that belong to a field, a link or the browser. */
export function listenToKeys(actions: KeyActions): void {
  const byKey: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: () => actions.moveEvent(1),
    ArrowUp: () => actions.moveEvent(-1),
    PageDown: () => actions.moveEvent(pageOfRows),
    PageUp: () => actions.moveEvent(-pageOfRows),
    ArrowRight: () => actions.moveCall('next'),
    ArrowLeft: () => actions.moveCall('previous'),
    Home: event => (isIn(event, '.plot') ? actions.moveCall('first') : actions.edge('first')),
    End: event => (isIn(event, '.plot') ? actions.moveCall('last') : actions.edge('last')),
    n: () => actions.moveProblem(1),
    p: () => actions.moveProblem(-1),
    '/': () => actions.search(),
    '+': () => actions.zoom(0.5),
    '=': () => actions.zoom(0.5),
    '-': () => actions.zoom(2),
    '0': () => actions.fit(),
    t: () => actions.theme(),
    '?': () => actions.help(),
    ...Object.fromEntries(['1', '2', '3', '4'].map((key, index) => [key, () => actions.tab(index)])),
  }
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      actions.escape()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (isIn(event, 'input, select, textarea, dialog[open], .details-content, .messages, .checks, .tokens'))
      return
    const act = byKey[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(event)
  })
}

function isIn({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null
}
