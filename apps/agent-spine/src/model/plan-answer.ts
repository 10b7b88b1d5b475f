import { type Message } from '@agent-spine/model'
import { say, type Answer } from './answer.js'
import { readTask, type Task } from './conversation.js'
import { readInstruction, type Instruction } from './instruction.js'
import { planTests } from './plan-tests.js'

/** Decides the next step from the conversation alone: the same messages give the same answer. */
export function planAnswer(messages: readonly Message[]): Answer {
  const task = readTask(messages)
  if (task === undefined) return say(abilities)
  const instruction = readInstruction(task.prompt)
  switch (instruction.kind) {
    case 'test':
      return planTests(task, instruction)
    case 'unclear':
      return say(abilities)
    default:
      return planOneCall(task, oneCall(instruction))
  }
}

const abilities =
  'I am the scripted model: I work offline and understand a few kinds of request. Ask me to "run the tests of directories A ' +
  'and B and write the outcome to report.md", to "read FILE", to "search for TEXT", to "list files", or to "run `COMMAND`".'

type Call = Answer['calls'][number]

function oneCall(instruction: Exclude<Instruction, { kind: 'test' | 'unclear' }>): Call {
  switch (instruction.kind) {
    case 'read':
      return { name: 'read_file', args: { path: instruction.path } }
    case 'search':
      return { name: 'search', args: { text: instruction.text } }
    case 'shell':
      return { name: 'bash', args: { command: instruction.command } }
    case 'list':
      return { name: 'list_files', args: {} }
  }
}

/** A shell command whose outcome is unknown is never repeated: it may have done anything. */
function planOneCall({ calls }: Task, call: Call): Answer {
  const record = calls.findLast(({ name, state }) => name === call.name && state !== 'not-run')
  if (record === undefined) return { text: `I will call ${call.name}.`, calls: [call] }
  switch (record.state) {
    case 'succeeded':
      return say(excerpt(record.text))
    case 'unknown':
      if (record.current || call.name === 'bash') {
        return say(`I do not know whether ${call.name} did its work. Please check, and tell me what to do.`)
      }
      return { text: `I will call ${call.name} again.`, calls: [call] }
    default:
      if (record.current || call.name === 'bash') return say(`${call.name} did not work: ${record.text}`)
      return { text: `I will call ${call.name} again.`, calls: [call] }
  }
}

const excerptLength = 2_000

function excerpt(text: string): string {
  if (text.length <= excerptLength) return text
  return `${text.slice(0, excerptLength).toWellFormed()}\n… and ${text.length - excerptLength} more characters`
}
