import { describe, expect, it } from 'vitest'
import { tokenUsage } from './usage.js'

const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const silent = { total: undefined, text: undefined, reasoning: undefined }

describe('since version 3', () => {
  it('takes the counts that do not overlap', () => {
    const usage = {
      inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
      outputTokens: { total: 20, text: 15, reasoning: 5 },
    }
    expect(tokenUsage({ usage }, 'acme')).toEqual({
      inputTokens: 30,
      outputTokens: 15,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
      reasoningTokens: 5,
    })
  })

  it('subtracts where only totals are known', () => {
    const usage = {
      inputTokens: { ...nothing, total: 100, cacheRead: 60 },
      outputTokens: { ...silent, total: 20, reasoning: 5 },
    }
    expect(tokenUsage({ usage }, 'acme')).toEqual({
      inputTokens: 40,
      outputTokens: 15,
      cacheReadTokens: 60,
      reasoningTokens: 5,
    })
  })

  it('says nothing where the provider did not', () => {
    expect(tokenUsage({ usage: { inputTokens: nothing, outputTokens: silent } }, 'acme')).toBeUndefined()
  })
})

describe('version 2', () => {
  const usage = {
    inputTokens: 100,
    outputTokens: 20,
    totalTokens: 120,
    cachedInputTokens: 60,
    reasoningTokens: 5,
  }

  it('subtracts what was cached and what was reasoning', () => {
    expect(tokenUsage({ usage }, 'openai.chat')).toEqual({
      inputTokens: 40,
      outputTokens: 15,
      cacheReadTokens: 60,
      reasoningTokens: 5,
    })
  })

  it('does not subtract reasoning that the total counts beside the output', () => {
    expect(tokenUsage({ usage: { ...usage, totalTokens: 125 } }, 'google.generative-ai')).toMatchObject({
      outputTokens: 20,
      reasoningTokens: 5,
    })
  })

  it("does not subtract what is not in Anthropic's input, and finds what was written to the cache", () => {
    const { reasoningTokens: _, ...counts } = usage
    const report = { usage: counts, providerMetadata: { anthropic: { cacheCreationInputTokens: 7 } } }
    expect(tokenUsage(report, 'anthropic.messages')).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 7,
    })
  })

  it('says nothing where the provider did not', () => {
    const none = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }
    expect(tokenUsage({ usage: none }, 'acme')).toBeUndefined()
  })
})
