/** Collects a process's output in bounded memory: the last bytes, and how many came in all. */
export interface OutputTail {
  push(chunk: Buffer): void
  /** The last `limitBytes`, from the start of a line where something was cut. */
  text(): string
}

export function createOutputTail(limitBytes: number): OutputTail {
  const chunks: Buffer[] = []
  let heldBytes = 0
  let cut = false
  return {
    push(chunk) {
      chunks.push(chunk)
      heldBytes += chunk.length
      for (let first = chunks[0]; first && heldBytes - first.length >= limitBytes; first = chunks[0]) {
        chunks.shift()
        heldBytes -= first.length
        cut = true
      }
    },
    text() {
      const held = Buffer.concat(chunks)
      const kept = held.subarray(Math.max(0, held.length - limitBytes))
      const text = kept.toString('utf8')
      if (!cut && kept.length === held.length) return text
      return text.slice(text.indexOf('\n') + 1)
    },
  }
}
