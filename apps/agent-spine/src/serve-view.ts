import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createLiveLog, pageAssets, startLiveServer, type LiveLog } from '@agent-spine/inspector'
import { type CommandEnvironment } from './command-environment.js'
import { CommandError, type ExitCode } from './command-error.js'
import { describeError, errorText } from './describe-error.js'
import { openInBrowser } from './open-in-browser.js'
import { jsonLine } from './output/output.js'
import { type SessionTarget } from './session-home.js'

/** How a live view was asked for. */
export interface LiveViewOptions {
  readonly open: boolean
  readonly json: boolean
  /** 0 takes a free one. */
  readonly port: number
}

/** Changes of a file come in bursts. */
const burstMs = 100
/** Where changes are not told of, as on some network mounts. */
const longestSilenceMs = 2000

/**
 * Serves the page of a session and follows what is written to it, until an interrupt, or until nobody reads stdout any
 * more. @throws CommandError `PORT_NOT_USABLE`
 */
export async function serveView(
  target: SessionTarget,
  environment: CommandEnvironment,
  { open, json, port }: LiveViewOptions,
): Promise<ExitCode> {
  const { stdout, stderr, variables } = environment
  const stopped = new AbortController()
  const offInterrupt = environment.onInterrupt(() => stopped.abort())
  stdout.closed.addEventListener('abort', () => stopped.abort())
  try {
    const log = createLiveLog(() => target.store.read(target.id))
    await log.refresh()
    const about = { session: target.id, file: target.file }
    const server = await startLiveServer({ about, log, assets: pageAssets, port }).catch((error: unknown) => {
      throw portNotUsable(port, error)
    })
    const following = followFile(target, log, {
      signal: stopped.signal,
      onError: error => stderr.write(errorText(describeError(error), environment.paint.talk)),
    })
    try {
      stdout.write(
        json
          ? jsonLine({ session: target.id, file: target.file, url: server.url, port: server.port })
          : `${server.url}\n`,
      )
      stderr.write(`following session ${target.id}; only this machine can open the address; Ctrl-C ends it\n`)
      if (open) await openInBrowser(server.url, variables)
      await aborted(stopped.signal)
    } finally {
      stopped.abort()
      await Promise.all([server.close(), following])
    }
    return 0
  } finally {
    offInterrupt()
  }
}

/** Reads what is new whenever the files of the session change; after a failure, at the next change. Resolves once it was stopped. */
async function followFile(
  target: SessionTarget,
  log: LiveLog,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<void> {
  let hasChanged = false as boolean
  let pause = new AbortController()
  const onChange = () => {
    hasChanged = true
    pause.abort()
  }
  const watcher = watch(target.directory, onChange).on('error', onChange)
  let seen = ''
  while (!signal.aborted) {
    if (!hasChanged) {
      pause = new AbortController()
      await sleep(longestSilenceMs, AbortSignal.any([signal, pause.signal]))
    }
    hasChanged = false
    const startedAt = performance.now()
    try {
      const now = await fingerprint(target)
      if (now !== seen) await log.refresh()
      seen = now
    } catch (error) {
      onError(error)
      // The same files would fail the same way.
      seen = await fingerprint(target).catch(() => '')
    }
    // Reading is of the whole file: of a long one, no more than a fifth of the time.
    await sleep(Math.max(burstMs, (performance.now() - startedAt) * 4), signal)
  }
  watcher.close()
}

/** The sizes of the files that may hold the session: a takeover goes on in a file of its own. */
async function fingerprint({ directory, id }: SessionTarget): Promise<string> {
  const names = (await readdir(directory)).filter(name => name.startsWith(id) && name.endsWith('.jsonl'))
  const sizes = await Promise.all(
    names.sort().map(async name => `${name}:${(await stat(join(directory, name))).size}`),
  )
  return sizes.join()
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}

function portNotUsable(port: number, cause: unknown): CommandError {
  const found = cause instanceof Error ? cause.message : String(cause)
  return new CommandError('PORT_NOT_USABLE', `expected to listen on 127.0.0.1:${port}, found: ${found}`, {
    hint: 'choose another port, or leave --port out to take a free one',
    cause,
  })
}
