// A chat in a terminal: keys in, transcript and prompt out, one agent for all of it.
//
//   C1  What a person sent is in the log or back at the prompt, never lost: a cancel gives back what was queued.
//   C2  However the chat ends, but by SIGKILL, the terminal is restored and what the tools started is ended.
//   C3  Nothing but "y" or "yes" at the question itself allows a call; what was being written when it came up waits.
import { type Receipt } from '@agent-spine/agent-loop'
import { approver } from '../approve.js'
import { createCodingAgent, type AgentRunOptions } from '../coding-agent.js'
import { type CommandEnvironment } from '../command-environment.js'
import { type ExitCode } from '../command-error.js'
import { type Reporter } from '../output/reporter.js'
import { type OpenRun } from '../start-session.js'
import { createChatScreen } from './chat-screen.js'
import { type Key } from './keys.js'
import { afterSending, edit, emptyLine, withText, type EditedLine } from './line-editor.js'
import { createQuestions } from './questions.js'
import { afterEvent, queuedTexts, textOf } from './queued-input.js'
import { chatHelp, readChatInput } from './slash-command.js'
import { openTerminalInput, type TerminalInput } from './terminal-input.js'

const howToLeave = 'Ctrl-C once more, Ctrl-D or /exit leaves'

/** Chats until the person leaves. Rejects when the session cannot be closed. */
export async function chatOnTerminal(
  environment: CommandEnvironment,
  run: OpenRun,
  options: AgentRunOptions,
): Promise<ExitCode> {
  const { stdin, stdout, stderr, paint } = environment
  const { session, target } = run
  const receipts = new Map<string, Receipt>()
  let queue = queuedTexts(session.events)
  let draft = emptyLine
  let answer = emptyLine
  let notice = ''
  /** How often Ctrl-C was pressed on end, for the same thing. */
  let interrupts = 0
  let leaving: ExitCode | undefined
  let left: () => void = () => undefined
  const whenLeft = new Promise<void>(resolve => (left = resolve))
  let input: TerminalInput | undefined

  const screen = createChatScreen({
    output: stderr,
    paint: paint.talk,
    view: () => ({
      isWorking: coder.agent.status !== 'idle',
      queue,
      notice,
      label: questions.current === undefined ? '› ' : 'y/n › ',
      line: questions.current === undefined ? draft : answer,
    }),
  })
  const questions = createQuestions(
    ({ text }) => screen.print(`${paint.talk('yellow', '?')} ${text}\n`),
    () => (answer = emptyLine),
  )
  const reporter: Reporter = {
    ...screen,
    show(event) {
      screen.show(event)
      const isLast = event.type === 'answer' && event.calls.length === 0 && !event.interrupted
      if (isLast && !stdout.isTerminal) stdout.write(`${event.text}\n`)
    },
  }
  const coder = createCodingAgent(
    { ...run, environment, reporter, options },
    approver(questions.ask, { allowAll: options.allowBash }),
  )
  const { agent } = coder
  queue = queuedTexts(session.events)
  session.subscribe(event => (queue = afterEvent(queue, event)))
  agent.on('status', ({ status }) => {
    if (status === 'idle') calm()
    screen.refresh()
  })

  /** The last interrupt is over. */
  function calm(): void {
    interrupts = 0
    if (leaving === undefined) notice = ''
  }

  function onKey(key: Key): void {
    if (key.kind === 'interrupt') interrupt()
    else if (key.kind === 'suspend') suspend()
    else if (key.kind === 'redraw') screen.redraw()
    else if (leaving === undefined) {
      if (agent.status === 'idle') calm()
      if (key.kind === 'edit') write(edit(currentLine(), key.edit))
      else if (key.kind === 'end') endOfInput()
      else send(key.kind)
    }
    screen.refresh()
  }

  function currentLine(): EditedLine {
    return questions.current === undefined ? draft : answer
  }

  function write(line: EditedLine): void {
    if (questions.current === undefined) draft = line
    else answer = line
  }

  function endOfInput(): void {
    if (currentLine().text === '') leave(0)
    else write(edit(currentLine(), { kind: 'delete', to: 'right' }))
  }

  function send(how: 'send' | 'steer'): void {
    if (questions.current !== undefined) {
      const { text } = answer
      answer = emptyLine
      notice = questions.answer(text) ? '' : 'answer y or n; Ctrl-C cancels the turn'
      return
    }
    const { text } = draft
    draft = afterSending(draft)
    notice = ''
    const said = readChatInput(text)
    switch (said.kind) {
      case 'say':
        say(how, said.text)
        return
      case 'steer':
        if (said.text === '') notice = 'expected a text: /steer TEXT'
        say('steer', said.text)
        return
      case 'withdraw':
        withdraw()
        return
      case 'help':
        screen.print(chatHelp)
        return
      case 'exit':
        leave(0)
        return
      case 'unknown':
        draft = withText(draft, text)
        notice = `there is no /${said.name}; /help lists what there is, and a blank before the slash makes it a text`
    }
  }

  function say(how: 'send' | 'steer', text: string): void {
    if (text.trim() === '') return
    try {
      const receipt = how === 'steer' ? agent.steer(text.trim()) : agent.followup(text.trim())
      receipts.set(receipt.id, receipt)
      void receipt.settled.then(() => receipts.delete(receipt.id))
    } catch (error) {
      // The log takes no more: the words go back, and the agent says why.
      giveBack([text])
      notice = error instanceof Error ? error.message : String(error)
    }
  }

  function withdraw(): void {
    const texts = new Map(queue.map(({ id, text }) => [id, text]))
    const last = [...receipts.values()].findLast(({ id }) => texts.has(id))
    if (last?.withdraw()) giveBack([texts.get(last.id) ?? ''])
    else if (queue.length > 0 && agent.status === 'idle') cancel()
    else notice = 'nothing is queued that could be taken back'
  }

  function interrupt(): void {
    interrupts += 1
    if (leaving !== undefined) endAtOnce()
    else if (agent.status !== 'idle' && interrupts === 1) {
      cancel()
      notice = 'cancelling; Ctrl-C once more leaves'
    } else if (agent.status !== 'idle' || (interrupts > 1 && draft.text === '')) leave(0)
    else {
      draft = afterSending(draft)
      notice = howToLeave
    }
  }

  function cancel(): void {
    giveBack(agent.cancel().discarded.map(textOf))
  }

  function giveBack(texts: readonly string[]): void {
    draft = withText(draft, [...texts, draft.text].filter(text => text !== '').join('\n'))
  }

  function suspend(): void {
    screen.clear()
    input?.suspend()
  }

  function leave(code: ExitCode): void {
    if (leaving !== undefined) return
    leaving = code
    notice = agent.status === 'idle' ? '' : 'leaving: closing the session; Ctrl-C ends it at once'
    agent.cancel({ kind: 'user' }, { keepInbox: true })
    left()
  }

  function endAtOnce(): never {
    coder.killAll()
    screen.end()
    input?.restore()
    return environment.exit(130)
  }

  const onGone = () => leave(0)
  const stopListening = environment.onInterrupt(() => (leaving === undefined ? leave(130) : endAtOnce()))
  stderr.closed.addEventListener('abort', onGone, { once: true })
  stdout.closed.addEventListener('abort', onGone, { once: true })
  try {
    input = openTerminalInput({ stdin, output: stderr, onKey, onGone })
    await coder.announce()
    screen.print(`${paint.talk('dim', 'say what to do; /help shows the keys')}\n`)
    await whenLeft
    await coder.close()
  } finally {
    await agent.dispose()
    coder.killAll()
    screen.end()
    input?.restore()
    stopListening()
    stderr.closed.removeEventListener('abort', onGone)
    stdout.closed.removeEventListener('abort', onGone)
  }
  stderr.write(`the session is closed; go on with: agent-spine chat --session ${target.id}\n`)
  return leaving ?? 0
}
