import pMap from 'p-map'
import { z } from 'zod'
import type { BatchCandidate } from '../measure-batches.js'
import type { ToolCall } from '@agent-spine/tools'

const schema = z.object({
  path: z.string(),
  mode: z.enum(['read', 'write']),
  offset: z.int().optional(),
  limit: z.int().optional(),
  tags: z.array(z.string()).optional(),
})

const registry = new Map([['five_arguments', { schema, execute: () => Promise.resolve('done') }]])

interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
}

async function answer({ callId, name, arguments: raw }: ToolCall): Promise<ToolMessage> {
  const tool = registry.get(name)
  let content = `no tool is called ${name}`
  try {
    if (tool) {
      tool.schema.parse(JSON.parse(raw))
      content = await tool.execute()
    }
  } catch (error) {
    content = String(error)
  }
  return { role: 'tool', tool_call_id: callId, content }
}

/** What people write themselves: no barrier, no cancellation, no policy, no log, no frozen or bounded result. */
export function byHand(batches: readonly (readonly ToolCall[])[]): BatchCandidate {
  return {
    name: 'by hand: p-map, JSON.parse, zod',
    run: async () => {
      for (const calls of batches) await pMap(calls, answer, { concurrency: 10 })
    },
    note: 'five arguments; no barrier, policy, abort or log',
  }
}
