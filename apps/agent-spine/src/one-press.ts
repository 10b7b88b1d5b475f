/** For so long after a signal, another one is the same press. No person means two that soon. */
const samePressMs = 250

/**
 * A listener to which signals that come together are one. Ctrl-C reaches every process in front of the terminal, and a
 * package manager among them passes its own on: without this, the copy would be taken for a second press.
 */
export function onePress(listener: () => void, now: () => number = () => performance.now()): () => void {
  let last = -Infinity
  return () => {
    const at = now()
    if (at - last < samePressMs) return
    last = at
    listener()
  }
}
