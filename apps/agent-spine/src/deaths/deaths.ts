/** One way in which a turn can end before its work is done. */
export interface Death {
  readonly name: DeathName
  readonly title: string
  /** What the process is sent once it is where it dies; left out where it fails by itself. */
  readonly signal?: 'SIGINT' | 'SIGKILL'
  /** Why the log ends as it does. */
  readonly why: string
}

export const deathNames = [
  'cancel-streaming',
  'cancel-calls',
  'input-after-cancel',
  'stage-fails',
  'kill',
] as const

export type DeathName = (typeof deathNames)[number]

export const deaths: readonly Death[] = [
  {
    name: 'cancel-streaming',
    title: 'Cancelled while the answer streams',
    signal: 'SIGINT',
    why: 'The text that was shown is kept and marked as interrupted. The turn ends, and says who ended it.',
  },
  {
    name: 'cancel-calls',
    title: 'Cancelled while calls run',
    signal: 'SIGINT',
    why: 'Two calls ran: each gets what really became of it. The third never started: it gets a result that says so.',
  },
  {
    name: 'input-after-cancel',
    title: 'Somebody writes after the cancel, before all is quiet',
    signal: 'SIGINT',
    why: 'The input came after the cancel, so the cancel does not take it: it gets a turn of its own, without another wake.',
  },
  {
    name: 'stage-fails',
    title: 'The harness itself fails between two calls',
    why: 'No result is invented for a bug. What B really returned is logged as late; repair gives it to the call, and says of the others what is known.',
  },
  {
    name: 'kill',
    title: 'kill -9 while calls run',
    signal: 'SIGKILL',
    why: 'Nobody could write an ending. Two calls were dispatched, so their outcome is unknown; the log proves that the third never started.',
  },
]
