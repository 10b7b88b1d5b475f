/** How a user interface may show a call: a small tagged union; `generic` is for everything else. */
export type ToolCallView =
  | { readonly kind: 'generic'; readonly title: string; readonly detail?: string }
  | { readonly kind: 'terminal'; readonly command: string; readonly directory?: string }
  | { readonly kind: 'diff'; readonly path: string; readonly before?: string; readonly after?: string }

/** How a user interface may show what a call came to. */
export type ToolResultView =
  | { readonly kind: 'generic'; readonly title: string; readonly detail?: string }
  | { readonly kind: 'terminal'; readonly output: string; readonly exitCode?: number }
  | { readonly kind: 'diff'; readonly path: string; readonly patch: string }
