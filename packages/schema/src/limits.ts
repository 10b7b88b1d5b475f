/** How many values a tree may hold where a caller sets no other bound. */
export const defaultMaxNodes = 10_000_000

/** How a value is checked. */
export interface CheckOptions {
  /**
   * The value came out of `JSON.parse` or `parseJson` and was not touched since: what parsing guarantees (plain, dense,
   * acyclic, own enumerable properties, no `NaN`) is not checked again.
   */
  readonly parsed?: boolean
  /** How many values a tree may hold before it is refused; bounds endless generated trees. Default 10 000 000. */
  readonly maxNodes?: number
}
