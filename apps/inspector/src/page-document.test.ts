import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type { SessionEvent } from '@agent-spine/session'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileLog, longLog, sampleLog } from '../test/sample-log.js'
import { checkLog } from './checks.js'
import { unpackInto, type PackedEvent } from './packed-events.js'
import { pageAssets } from './page-assets.js'
import { embeddedJson, pageDocument, type PageAbout } from './page-document.js'

const about: PageAbout = { session: 's', madeAt: 0 }
const documentOf = (events: Parameters<typeof pageDocument>[1], given: PageAbout = about) =>
  [...pageDocument(given, events, pageAssets)].join('')

it('what is embedded is the value, and holds no character of markup (H1)', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const text = embeddedJson(value)
      expect(text).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('a hostile session adds no element to the document (H1)', () => {
  const tags = (text: string) => text.match(/<\/?[a-z!]/gi)?.length
  const [first] = sampleLog()
  if (first === undefined) throw new Error('expected an event')
  const hostile = documentOf(hostileLog(), { ...about, session: '</title><script>1</script>' })
  expect(tags(hostile)).toBe(tags(documentOf([first])))
})

/** The events of a document, and how long each of its blocks of JSON is. */
function readBack(text: string) {
  const events: SessionEvent[] = []
  const lengths: number[] = []
  for (const [, type, block = ''] of text.matchAll(
    /<script type="([^"]*)" class="events">(.*?)<\/script>/gs,
  )) {
    const json = type === 'text/plain' ? inflateRawSync(Buffer.from(block, 'base64')).toString() : block
    lengths.push(json.length)
    for (const packed of JSON.parse(json) as PackedEvent[]) unpackInto(events, packed)
  }
  return { events, lengths }
}

it('the events come back as they were, from blocks of bounded size (H3)', () => {
  const log = longLog(40_000)
  const text = documentOf(log)
  const { events, lengths } = readBack(text)
  expect(lengths.length).toBeGreaterThan(1)
  expect(Math.max(...lengths)).toBeLessThan(1_100_000)
  expect(events).toEqual(log)
  // What the document is long for is what a browser is slow for.
  expect(text.length).toBeLessThan(JSON.stringify(log).length / 8)
})

it('a log of one block can be searched in the file as text (H4)', () => {
  expect(documentOf(sampleLog())).toContain('"type":"turn/end"')
})

it('says what the checks found, but not of a log that is still written', () => {
  const checksOf = (text: string) => /id="checks">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  expect(JSON.parse(checksOf(documentOf(sampleLog())))).toEqual(checkLog(sampleLog()))
  expect(checksOf(documentOf(sampleLog(), { ...about, live: true }))).toBe('null')
})

it('runs one script, by its hash, and loads nothing (H2)', () => {
  const text = documentOf(sampleLog())
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? ''
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
  expect(scripts).toHaveLength(1)
  const hash = createHash('sha256')
    .update(scripts[0] ?? '')
    .digest('base64')
  expect(policy).toContain(`script-src 'sha256-${hash}'`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|https?:|connect-src/)
  expect(text.replace(/<script>.*?<\/script>/gs, '')).not.toMatch(/ (?:src|href)="(?!data:,")/)
})

it('only a live page may connect, and only to its own server (H2)', () => {
  expect(documentOf([], { ...about, live: true })).toContain("connect-src 'self';")
})

it('its script cannot end its element, and is small', () => {
  expect(pageAssets.script).not.toMatch(/<\/script|<!--/i)
  expect(pageAssets.style).not.toMatch(/<\/style|@import|url\(/i)
  expect(pageAssets.script.length + pageAssets.style.length).toBeLessThan(200_000)
})

it('its script sets text as text only', () => {
  expect(pageAssets.script).not.toMatch(
    /\.(?:innerHTML|outerHTML|insertAdjacentHTML|srcdoc)|document\.write|\beval\(|new Function/,
  )
})
