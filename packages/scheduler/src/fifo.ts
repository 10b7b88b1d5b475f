interface Link<Value> {
  readonly value: Value
  next: Link<Value> | undefined
}

/** A first-in, first-out queue whose every operation takes constant time. */
export class Fifo<Value> {
  #first: Link<Value> | undefined
  #last: Link<Value> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  push(value: Value): void {
    const link: Link<Value> = { value, next: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.next = link
    this.#last = link
    this.#size += 1
  }

  shift(): Value | undefined {
    const link = this.#first
    if (link === undefined) return undefined
    this.#first = link.next
    if (link.next === undefined) this.#last = undefined
    this.#size -= 1
    return link.value
  }
}
