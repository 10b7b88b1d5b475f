/** A promise to open by hand. */
export interface Gate<Value = void> {
  readonly opened: Promise<Value>
  open(value: Value): void
}

/** Until everything in memory has been delivered: no timer takes part. */
export function delivered(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** A gate that is shut. */
export function gate<Value = void>(): Gate<Value> {
  let open: (value: Value) => void = () => undefined
  const opened = new Promise<Value>(resolve => {
    open = resolve
  })
  return { opened, open: value => open(value) }
}
