import { type CallOutcome, runCalls } from '@agent-spine/scheduler'
import { type Message, type Model, type Tool, type ToolCall } from './chat.js'

/** Talks to a model until it asks for no more tools, or until the signal aborts. Appends to `messages`. */
export async function customLoop(
  messages: Message[],
  { model, tools, signal }: { model: Model; tools: ReadonlyMap<string, Tool>; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const answer = await model(messages, signal)
    messages.push(answer)
    if (answer.tool_calls === undefined) return
    await runCalls(answer.tool_calls, {
      maxParallel: 4,
      signal,
      mode: call => ({ kind: tools.get(call.function.name)?.readonly ? 'parallel' : 'exclusive' }),
      run: (call, context) => execute(call, tools, context.signal),
      commit: ({ id }, outcome) =>
        messages.push({ role: 'tool', tool_call_id: id, content: toText(outcome) }),
    })
  }
}

async function execute(
  { function: { name, arguments: text } }: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  signal: AbortSignal,
): Promise<string> {
  const tool = tools.get(name)
  if (tool === undefined)
    throw new Error(`no tool is called ${name}; there are ${[...tools.keys()].join(', ')}`)
  return await tool.run(JSON.parse(text) as Record<string, unknown>, signal)
}

function toText(outcome: CallOutcome<string>): string {
  switch (outcome.kind) {
    case 'value':
      return outcome.value
    case 'error':
      return `Error: ${outcome.error instanceof Error ? outcome.error.message : String(outcome.error)}`
    case 'skipped':
      return 'Cancelled before it ran.'
    case 'unknown':
      return 'Cancelled while it ran; whether it took effect is unknown.'
  }
}
