import { runInNewContext } from 'node:vm'

/** A second global scope, as of an iframe: its objects are plain and have other prototypes. */
export const otherRealm = runInNewContext(
  '({ object: Object.prototype, array: Array.prototype, parse: text => JSON.parse(text) })',
) as { readonly object: object; readonly array: object; readonly parse: (text: string) => unknown }
