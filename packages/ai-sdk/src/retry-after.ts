/**
 * How long a provider asks to wait: by `retry-after-ms`, by `retry-after` in seconds or as a date, or, as Google does, in
 * the body. A date is compared with the answer's own, where it has one, and not with this machine's clock.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: string,
  now: () => number = Date.now,
): number | undefined {
  const ms = amount(headers['retry-after-ms'])
  if (ms !== undefined) return ms
  const header = headers['retry-after'] ?? ''
  const seconds = amount(header) ?? amount(/"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1])
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // Only what begins as a date of HTTP does: `Date.parse` takes much else for one, such as "-3".
  const until = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : NaN
  if (Number.isNaN(until)) return undefined
  const from = Date.parse(headers['date'] ?? '')
  return Math.max(0, until - (Number.isNaN(from) ? now() : from))
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
