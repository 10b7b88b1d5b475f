import { expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.js'

const at = 'Mon, 01 Dec 2025 10:00:00 GMT'
const later = 'Mon, 01 Dec 2025 10:00:30 GMT'

it.each([
  [{}, '', undefined],
  [{ 'retry-after': '3' }, '', 3000],
  [{ 'retry-after': '0.5' }, '', 500],
  [{ 'retry-after': '0' }, '', 0],
  [{ 'retry-after': '3', 'retry-after-ms': '250' }, '', 250],
  [{ 'retry-after': later, date: at }, '', 30_000],
  [{ 'retry-after': at, date: later }, '', 0],
  [{ 'retry-after': later }, '', 10_000],
  [{ 'retry-after': 'soon' }, '', undefined],
  [{ 'retry-after': '-3' }, '', undefined],
  [{}, '{"retryDelay": "34.5s"}', 34_500],
])('%j %s is %s', (headers, body, expected) => {
  const now = () => Date.parse(later) - 10_000
  expect(retryAfterMs(headers as Record<string, string>, body, now)).toBe(expected)
})
