import { defineValue, snapshotJson, type Validator } from '@agent-spine/schema'

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

const text = { type: 'string' } as const
const requiredText = { type: 'string', required: true } as const

const generic = {
  type: 'object',
  additionalProperties: true,
  properties: {
    kind: { type: 'string', const: 'generic', required: true },
    title: requiredText,
    detail: text,
  },
} as const

const callViews: Validator<ToolCallView> = defineValue({
  oneOf: [
    generic,
    {
      type: 'object',
      additionalProperties: true,
      properties: {
        kind: { type: 'string', const: 'terminal', required: true },
        command: requiredText,
        directory: text,
      },
    },
    {
      type: 'object',
      additionalProperties: true,
      properties: {
        kind: { type: 'string', const: 'diff', required: true },
        path: requiredText,
        before: text,
        after: text,
      },
    },
  ],
})

const resultViews: Validator<ToolResultView> = defineValue({
  oneOf: [
    generic,
    {
      type: 'object',
      additionalProperties: true,
      properties: {
        kind: { type: 'string', const: 'terminal', required: true },
        output: requiredText,
        exitCode: { type: 'integer' },
      },
    },
    {
      type: 'object',
      additionalProperties: true,
      properties: {
        kind: { type: 'string', const: 'diff', required: true },
        path: requiredText,
        patch: requiredText,
      },
    },
  ],
})

/** What a call presenter answered, frozen, if it is a view. Never throws. */
export function readCallView(value: unknown): ToolCallView | undefined {
  return readView(value, callViews)
}

/** What a result presenter answered, frozen, if it is a view. Never throws. */
export function readResultView(value: unknown): ToolResultView | undefined {
  return readView(value, resultViews)
}

function readView<View>(value: unknown, views: Validator<View>): View | undefined {
  try {
    const view: unknown = snapshotJson(value)
    return views.check(view) ? view : undefined
  } catch {
    return undefined
  }
}
