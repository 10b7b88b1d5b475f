/** What an element is made of. Text is only ever set as text. */
export interface ElementOptions {
  readonly class?: string
  readonly text?: string
  readonly title?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly onClick?: (event: MouseEvent) => void
}

type Child = Node | string | undefined | false

/** Makes an element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (options.class !== undefined) made.className = options.class
  if (options.text !== undefined) made.textContent = options.text
  if (options.title !== undefined) made.title = options.title
  for (const [name, value] of Object.entries(options.attributes ?? {})) made.setAttribute(name, value)
  if (options.onClick !== undefined) made.addEventListener('click', options.onClick as EventListener)
  for (const child of children) if (child !== undefined && child !== false) made.append(child)
  return made
}

/** A button that does something. */
export function button(
  label: string,
  onClick: () => void,
  options: Omit<ElementOptions, 'text' | 'onClick'> = {},
): HTMLButtonElement {
  const attributes = { type: 'button', ...options.attributes }
  return element('button', { ...options, attributes, text: label, onClick })
}

/** Calls `draw` in the next frame, once, however often it was asked for. */
export function oncePerFrame(draw: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      draw()
    })
  }
}
