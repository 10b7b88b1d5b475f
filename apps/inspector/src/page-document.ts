import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { SessionEvent } from '@agent-spine/session'
import { checkLog } from './checks.js'
import type { PageAssets } from './embed-page.js'
import { packEvents } from './packed-events.js'

/*
 * Turns a session into one HTML document.
 *
 * H1 Nothing of a session can leave its data block: `<`, `>` and `&` are escaped in it, so it holds no markup at all.
 * H2 The document runs one script, named by its hash. It loads nothing; only a live page may connect, to its own server.
 * H3 The events are packed, in blocks of bounded size, so that neither writing nor reading holds one string of them all.
 * H4 A full block is compressed, because a browser reads a long document slowly; what fits in one block stays text.
 */

/** What a page says of its session beside the events. */
export interface PageAbout {
  readonly session: string
  /** Where the session is kept. */
  readonly file?: string
  /** Why the log could not be read to its end. */
  readonly damage?: string
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** A live page follows its server from the event after its last. */
  readonly live?: true
}

const blockLength = 1_000_000

/** The document in pieces, to be written one after the other. */
export function* pageDocument(
  about: PageAbout,
  events: readonly SessionEvent[],
  { script, style }: PageAssets,
): Generator<string> {
  yield [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(about, { script, style })}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n',
    `<title>${escapeHtml(about.session)} · Agent Spine</title>\n<link rel="icon" href="data:,">\n`,
    `<style>${style}</style>\n</head>\n<body>\n<noscript>This page needs JavaScript. It loads nothing.</noscript>\n`,
    '<main id="app"><p class="loading" role="status">Reading the session…</p></main>\n',
    `<script type="application/json" id="about">${embeddedJson(about)}</script>\n`,
  ].join('')
  yield* eventBlocks(events)
  // The slowest work of all. What is still written has to be checked where it is read.
  const checks = about.live === true ? null : checkLog(events)
  yield `<script type="application/json" id="checks">${embeddedJson(checks)}</script>\n`
  yield `<script>${script}</script>\n</body>\n</html>\n`
}

/** The policy that holds for a page, in its `meta` element and in the header of a live one. */
export function pagePolicy({ live }: Pick<PageAbout, 'live'>, { script, style }: PageAssets): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${sha256(script)}'`,
    `style-src 'sha256-${sha256(style)}'`,
    'img-src data:',
    ...(live === true ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "trusted-types 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** A value as JSON that is safe inside a `script` element, and equal to the value when it is parsed. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, codeOf)
}

function* eventBlocks(events: Iterable<SessionEvent>): Generator<string> {
  let block: string[] = []
  let length = 0
  for (const packed of packEvents(events)) {
    const text = embeddedJson(packed)
    block.push(text)
    length += text.length
    if (length < blockLength) continue
    yield compressedBlock(`[${block.join(',')}]`)
    block = []
    length = 0
  }
  if (block.length > 0) {
    yield `<script type="application/json" class="events">[${block.join(',\n')}]</script>\n`
  }
}

function compressedBlock(json: string): string {
  const base64 = deflateRawSync(json, { level: 4 }).toString('base64')
  return `<script type="text/plain" class="events">${base64}</script>\n`
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
