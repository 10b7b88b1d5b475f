// `agent-spine chat` in a real terminal. The model is at work while `cat gate` reads a pipe that the test holds.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SessionEvent } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { streamReply, wireServer } from '../../../packages/ai-sdk/test/wire-server.js'
import { readLog } from '../src/read-log.js'
import { verifyLog } from '../src/verify-log.js'
import { bundleCli } from './bundle-cli.js'
import { runCli } from './cli-process.js'
import {
  hasTerminals,
  keys,
  startInTerminal,
  type TerminalOptions,
  type TerminalProcess,
} from './terminal-process.js'
import { compatible } from './wire-models.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const { enter, altEnter, ctrlC, ctrlD, ctrlU, up, backspace } = keys
const atTheGate = 'run `cat gate`'

let cli: string
/** The gates that hold somebody back. */
const gates = new Set<FileHandle>()

beforeAll(async () => {
  cli = await bundleCli('chat')
})

afterAll(() => Promise.all([...gates].map(gate => gate.close())))

/** A workspace with a gate, a home, and the chats of one test. */
async function newPlace() {
  const base = await mkdtemp(join(tmpdir(), 'chat-'))
  const [workspace, home] = [join(base, 'workspace'), join(base, 'home')]
  const gate = join(workspace, 'gate')
  await mkdir(workspace)
  execFileSync('mkfifo', [gate])
  const sessions = join(home, 'sessions')

  async function chat(args: readonly string[] = [], options: Partial<TerminalOptions> = {}) {
    const flags = ['chat', '--workspace', workspace, ...args]
    const started = await startInTerminal(flags, { cli, home, ...options })
    await started.sees('/help shows the keys')
    return started
  }

  return {
    workspace,
    options: { cli, home },
    chat,
    /** A chat whose model is at work, and what lets it go on. */
    async working() {
      const started = await chat(['--allow-bash'])
      started.press(atTheGate + enter)
      // Opens only when there is a reader.
      const opened = await open(gate, 'w')
      gates.add(opened)
      return {
        chat: started,
        letGo: () => {
          gates.delete(opened)
          return opened.close()
        },
      }
    },
    /** Leaves with Ctrl-D, checks that all is as it was, and answers what the log holds. */
    async leave(chatting: TerminalProcess): Promise<readonly SessionEvent[]> {
      chatting.press(ctrlD)
      const { code, modes } = await chatting.end
      expect(code, chatting.screen()).toBe(0)
      expect(modes.after).toBe(modes.before)
      return this.soundLog(chatting)
    },
    async soundLog(chatting: TerminalProcess): Promise<readonly SessionEvent[]> {
      const id = idOf(chatting)
      const target = {
        id,
        store: jsonlStore(sessions),
        directory: sessions,
        file: join(sessions, `${id}.jsonl`),
      }
      const events = await readLog(target)
      expect(verifyLog(events)).toMatchObject({ verdict: 'sound' })
      return events
    },
  }
}

function idOf(chat: TerminalProcess): string {
  const words = chat.screen().replaceAll('\n', '')
  return /session {3}(\d{8}-\d{6}-\w{4})/.exec(words)?.[1] ?? ''
}

/** Resolves when the words are there and nothing runs. */
async function seesAtRest(chat: TerminalProcess, words: string): Promise<void> {
  await chat.sees(words)
  await chat.sees(/^[^\u2800-\u28ff]*$/)
}

/** The log in a few words: what was said, and where steps and turns are. */
function story(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap(event => {
    if (event.type === 'turn/end') return [`turn ${event.data.turn} ${event.data.reason.kind}`]
    if (event.type === 'step/start') return [`step ${event.data.step}`]
    if (event.type === 'tool/result') return [`result ${event.data.error?.code ?? 'fine'}`]
    if (event.type !== 'user/message') return []
    const [block] = event.data.message.content
    return block?.type === 'text' ? [block.text] : []
  })
}

const inTerminals = hasTerminals ? describe.concurrent : describe.skip

inTerminals('in a terminal', () => {
  it('a follow-up waits in sight while a turn runs, and then gets a turn of its own', async () => {
    const place = await newPlace()
    const { chat, letGo } = await place.working()
    chat.press(`list files${enter}half writ`)
    expect(await chat.sees('› half writ')).toMatch(
      /bash cat gate {2}[^]*\n\+ queued: list files\n› half writ$/,
    )
    await letGo()
    await seesAtRest(chat, '● gate')
    expect(chat.screen()).toMatch(/\n› list files\n[^]*\n› half writ$/)
    expect(chat.screen()).not.toContain('queued')
    chat.press(ctrlU)
    expect(story(await place.leave(chat))).toEqual([
      ...['step 0', atTheGate, 'result fine', 'step 1', 'turn 0 completed'],
      ...['step 0', 'list files', 'result fine', 'step 1', 'turn 1 completed'],
    ])
  })

  it.each([
    ['/steer', '/steer list files', enter],
    ['Alt-Enter', 'list files', altEnter],
  ])('%s reaches the model before its next step', async (_how, line, key) => {
    const place = await newPlace()
    const { chat, letGo } = await place.working()
    chat.press(line + key)
    await chat.sees('↳ next step: list files')
    await letGo()
    await seesAtRest(chat, '● gate')
    expect(story(await place.leave(chat))).toEqual([
      ...['step 0', atTheGate, 'result fine'],
      ...['step 1', 'list files', 'result fine', 'step 2', 'turn 0 completed'],
    ])
  })

  it('/withdraw takes back what was queued last, to be written on; a cancel gives back the rest', async () => {
    const place = await newPlace()
    const { chat } = await place.working()
    chat.press(`first${enter}second${enter}`)
    await chat.sees('+ queued: second')
    chat.press(`/withdraw${enter}`)
    await chat.sees(/\+ queued: first\n› second$/)
    chat.press(`${up}${up}`)
    await chat.sees(/\n› second$/)
    chat.press(ctrlC)
    await chat.sees(/the turn ended: aborted\n› first\n {2}second$/)
    chat.press(`${ctrlC}${ctrlC}`)
    await chat.end
    const outcomes = (await place.soundLog(chat)).flatMap(event =>
      event.type === 'inbox/spliced' ? [event.data.outcome ?? 'queued'] : [],
    )
    expect(outcomes).toEqual(['queued', 'committed', 'queued', 'queued', 'returned', 'discarded'])
  })

  it('Ctrl-C ends the command that runs; the next prompt works, and what was queued is written on', async () => {
    const place = await newPlace()
    const { chat } = await place.working()
    chat.press(`list files${enter}`)
    await chat.sees('+ queued: list files')
    chat.press(ctrlC)
    await chat.sees(/the turn ended: aborted\n› list files$/)
    chat.press(enter)
    await seesAtRest(chat, '● gate')
    expect(story(await place.leave(chat))).toEqual([
      ...['step 0', atTheGate, 'result ABORTED', 'turn 0 aborted'],
      ...['step 0', 'list files', 'result fine', 'step 1', 'turn 1 completed'],
    ])
  })

  it('Ctrl-C while the answer streams keeps what was said; the next prompt is answered', async () => {
    const place = await newPlace()
    const server = await wireServer([
      streamReply(compatible.begun('I was about to'), 'hang'),
      streamReply(compatible.text('Here I am again.')),
    ])
    const chat = await place.chat(['--model', compatible.name, '--base-url', server.url])
    chat.press(`hello${enter}`)
    await chat.sees('I was about to')
    chat.press(ctrlC)
    await chat.sees('● I was about to (interrupted)\nthe turn ended: aborted')
    await server.abandoned
    chat.press(`go on${enter}`)
    await seesAtRest(chat, '● Here I am again.')
    const told = ['step 0', 'hello', 'turn 0 aborted', 'step 0', 'go on', 'turn 1 completed']
    expect(story(await place.leave(chat))).toEqual(told)
    await server.close()
  })

  it('at an idle prompt, Ctrl-C says how to leave, and leaves at the second; every command reads the session', async () => {
    const place = await newPlace()
    const chat = await place.chat()
    chat.press(`abc${ctrlC}`)
    await chat.sees(/Ctrl-C once more, Ctrl-D or \/exit leaves\n›$/)
    chat.press('x')
    await chat.losesSightOf('once more')
    chat.press(`${backspace}${ctrlC}`)
    await chat.sees('once more')
    chat.press(ctrlC)
    const { code, modes, screen } = await chat.end
    expect({ code, after: modes.after }, screen).toEqual({ code: 0, after: modes.before })
    const id = idOf(chat)
    // The lease is released.
    expect(await runCli(['resume', id, 'list files'], place.options)).toMatchObject({ code: 0 })
    expect(await runCli(['verify', id], place.options)).toMatchObject({ code: 0 })
    expect((await runCli(['log', id], place.options)).stdout).toContain('list files')
    const view = join(place.workspace, 'view.html')
    await runCli(['view', id, '--out', view], place.options)
    expect(await readFile(view, 'utf8')).toContain(id)
  })

  it('Ctrl-D while a command runs cancels it, closes the log and leaves', async () => {
    const place = await newPlace()
    const { chat } = await place.working()
    const told = ['step 0', atTheGate, 'result ABORTED', 'turn 0 aborted']
    expect(story(await place.leave(chat))).toEqual(told)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s closes the log and restores the terminal', async signal => {
    const place = await newPlace()
    const { chat } = await place.working()
    await chat.signal(signal)
    const { code, modes } = await chat.end
    expect({ code, after: modes.after }).toEqual({ code: 130, after: modes.before })
    expect(story(await place.soundLog(chat)).at(-1)).toBe('turn 0 aborted')
  })

  it('a crash restores the terminal', async () => {
    const place = await newPlace()
    const crash = join(place.workspace, 'crash.mjs')
    await writeFile(crash, `process.on('SIGUSR2', () => { throw new Error('a bug') })`)
    const chat = await place.chat([], { nodeOptions: `--import ${crash}` })
    await chat.signal('SIGUSR2')
    const { code, modes, screen } = await chat.end
    expect({ code, after: modes.after }, screen).toEqual({ code: 1, after: modes.before })
    expect(screen).toContain('a bug')
  })

  it('asks before a shell command: only y allows it, and what was being written is not lost', async () => {
    const place = await newPlace()
    const chat = await place.chat()
    const command = 'run `echo "$((6 * 7)) is it"`'
    chat.press(`${command}${enter}my dra`)
    await chat.sees('y/n ›')
    chat.press(`ft${enter}`)
    await chat.sees('answer y or n')
    chat.press(`y${enter}`)
    await seesAtRest(chat, '42 is it')
    expect(chat.screen()).toMatch(/\n› my dra(ft)?$/)
    chat.press(`${ctrlU}${command}${enter}`)
    await chat.sees('y/n ›')
    chat.press(`n${enter}`)
    await seesAtRest(chat, '● bash did not work: ')
    const events = await place.leave(chat)
    expect(events.filter(({ type }) => type === 'tool/dispatch')).toHaveLength(1)
    expect(story(events).filter(what => what.startsWith('result'))).toEqual(['result fine', 'result DENIED'])
  })

  it('Ctrl-C at a question refuses it and cancels the turn', async () => {
    const place = await newPlace()
    const chat = await place.chat()
    chat.press(`run \`touch made\`${enter}`)
    await chat.sees('y/n ›')
    chat.press(ctrlC)
    await chat.sees(/the turn ended: aborted\n›$/)
    const events = await place.leave(chat)
    expect(events.some(({ type }) => type === 'tool/dispatch')).toBe(false)
  })

  it('what the model and the tools say gives the terminal no orders', async () => {
    const place = await newPlace()
    const evil = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b5A\u0008\rover\n'
    await writeFile(join(place.workspace, 'evil.txt'), `${evil}the end`)
    const chat = await place.chat()
    // The screen throws at a sequence that is not the command's own.
    chat.press(`read evil.txt${enter}`)
    await seesAtRest(chat, 'the end')
    chat.press(`run \`printf '\\033[2J'; cat evil.txt\`${enter}`)
    await chat.sees('y/n ›')
    chat.press(`y${enter}`)
    await seesAtRest(chat, '● exit code 0')
    await place.leave(chat)
  })

  it('shows and deletes wide characters whole, and keeps the new lines of what is pasted', async () => {
    const place = await newPlace()
    const chat = await place.chat()
    chat.press('世界 👨‍👩‍👧é')
    await chat.sees('› 世界 👨‍👩‍👧é')
    chat.press(backspace + backspace)
    await chat.losesSightOf('👨')
    chat.press('\u001b[200~one\ntwo\u001b[31m\u001b[201~')
    await chat.sees('› 世界 one\n  two')
    chat.press(enter)
    await seesAtRest(chat, '● I am the scripted model')
    expect(story(await place.leave(chat))[1]).toBe('世界 one\ntwo')
  })

  it('after a SIGKILL in a turn, the session is repaired and goes on', async () => {
    const place = await newPlace()
    const { chat: killed, letGo } = await place.working()
    await killed.signal('SIGKILL')
    expect((await killed.end).code).toBe(137)
    await letGo()
    const chat = await place.chat(['--session', idOf(killed)])
    await chat.sees(/repaired {2}\d+ events/)
    chat.press(`continue${enter}`)
    await seesAtRest(chat, '● I do not know whether bash did its work.')
    expect(story(await place.leave(chat))).toEqual([
      ...['step 0', atTheGate, 'result TOOL_OUTCOME_UNKNOWN', 'turn 0 interrupted'],
      ...['step 0', 'continue', 'turn 1 completed'],
    ])
  })
})
