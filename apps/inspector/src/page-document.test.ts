import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileLog, longLog, sampleLog } from '../test/sample-log.js'
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

it('the events come back as they were, from blocks of bounded size (H3)', () => {
  const events = longLog(12_000)
  const blocks = [
    ...documentOf(events).matchAll(/<script type="application\/json" class="events">(.*?)<\/script>/gs),
  ]
  expect(blocks.length).toBeGreaterThan(1)
  expect(Math.max(...blocks.map(([text]) => text.length))).toBeLessThan(1_100_000)
  expect(blocks.flatMap(([, text = '']) => JSON.parse(text) as unknown[])).toEqual(events)
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
