import { type Ask, type Question } from '../approve.js'

/** What the person is asked, one question after the other. */
export interface Questions {
  readonly ask: Ask
  /** The one that waits for an answer. */
  readonly current: Question | undefined
  /** Answers it. `false`: that was no answer. */
  answer(words: string): boolean
}

const answers: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['yes', true],
  ['n', false],
  ['no', false],
])

/** `onAsked` is told of every question when its turn comes; `onSettled` when it was answered, or does not matter any more. */
export function createQuestions(onAsked: (question: Question) => void, onSettled: () => void): Questions {
  const waiting: { readonly question: Question; readonly settle: (allowed: boolean) => void }[] = []

  function tell(): void {
    const first = waiting[0]
    if (first !== undefined) onAsked(first.question)
  }

  return {
    ask: question =>
      new Promise<boolean>(resolve => {
        const entry = { question, settle }
        const abandon = () => settle(false)
        function settle(allowed: boolean): void {
          question.signal.removeEventListener('abort', abandon)
          const wasFirst = waiting[0] === entry
          waiting.splice(waiting.indexOf(entry), 1)
          resolve(allowed)
          if (!wasFirst) return
          onSettled()
          tell()
        }
        if (question.signal.aborted) {
          resolve(false)
          return
        }
        question.signal.addEventListener('abort', abandon)
        waiting.push(entry)
        if (waiting.length === 1) tell()
      }),
    get current() {
      return waiting[0]?.question
    },
    answer(words) {
      const allowed = answers.get(words.trim().toLowerCase())
      if (allowed === undefined) return false
      waiting[0]?.settle(allowed)
      return true
    },
  }
}
