/** Returns a function that calls `work` once, with the latest value, when no call came for `quietMs`. */
export function debounce(work, quietMs) {
  let timer
  let pending
  return value => {
    pending ??= value
    clearTimeout(timer)
    timer = setTimeout(() => {
      work(pending)
      pending = undefined
    }, quietMs)
  }
}
