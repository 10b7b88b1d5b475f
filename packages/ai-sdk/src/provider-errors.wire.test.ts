import { describe, expect, it } from 'vitest'
import { chunksOf, failureOf, request } from '../test/collect.js'
import { otherVersions, wireProviders } from '../test/wire-providers.js'
import { errorReply, events, streamReply, type WireReply } from '../test/wire-server.js'
import { testServer } from '../test/with-server.js'
import { fromAiSdk } from './from-ai-sdk.js'

describe.each([...wireProviders, ...otherVersions])('$name', provider => {
  const failing = async (reply: WireReply) => {
    const server = await testServer(reply)
    return failureOf(chunksOf(fromAiSdk(provider.model(server.url))))
  }
  const error = (status: number, word: string, { message = 'No.', headers = {} } = {}) =>
    failing(errorReply(status, provider.error(word, message), headers))

  it.each([
    [401, 'authentication_error', 'AUTH'],
    [403, 'permission_error', 'AUTH'],
    [404, 'not_found_error', 'INVALID_REQUEST'],
    [400, 'invalid_request_error', 'INVALID_REQUEST'],
    [429, 'rate_limit_error', 'RATE_LIMITED'],
    [500, 'api_error', 'OVERLOADED'],
    [503, 'overloaded_error', 'OVERLOADED'],
    [529, 'overloaded_error', 'OVERLOADED'],
  ])('says what status %i is', async (status, word, code) => {
    expect(await error(status, word)).toMatchObject({ code, status, message: 'No.' })
  })

  it('tells how long to wait, and which request it was', async () => {
    const headers = { 'retry-after': '7', 'x-request-id': 'req_1' }
    expect(await error(429, 'rate_limit_error', { headers })).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 7000,
      requestId: 'req_1',
    })
  })

  it.each([
    "This model's maximum context length is 65536 tokens. However, you requested 65540 tokens.",
    'prompt is too long: 208310 tokens > 200000 maximum',
    'The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).',
  ])('knows an overflow: %s', async message => {
    expect(await error(400, 'invalid_request_error', { message })).toMatchObject({ code: 'CONTEXT_OVERFLOW' })
  })

  it('survives an error that is no JSON', async () => {
    expect(await failing(errorReply(502, '<html>Bad gateway</html>'))).toMatchObject({
      code: 'OVERLOADED',
      status: 502,
    })
  })

  it('calls a connection that is refused TRANSPORT', async () => {
    const server = await testServer()
    await server.close()
    expect(await failureOf(chunksOf(fromAiSdk(provider.model(server.url))))).toMatchObject({
      code: 'TRANSPORT',
    })
  })

  it('calls an event that is no JSON an incomplete stream', async () => {
    const [first = '', ...rest] = provider.text('hello')
    expect(await failing(streamReply([first, 'data: {"not json\n\n', ...rest]))).toMatchObject({
      code: 'INCOMPLETE_STREAM',
    })
  })

  it('knows an error that comes in the middle of an answer', async () => {
    const reported = events([provider.error('overloaded_error', 'Too busy.')], provider.named)
    const failure = await failing(streamReply([...provider.begun('hello'), ...reported]))
    // DeepSeek's package passes the message on, and nothing else.
    const code = provider.name === 'deepseek' ? 'UNKNOWN' : 'OVERLOADED'
    expect(failure).toMatchObject({ code, message: 'Too busy.' })
  })

  it('calls an answer that just ends an incomplete stream', async () => {
    expect(await failing(streamReply(provider.begun('hello')))).toMatchObject({ code: 'INCOMPLETE_STREAM' })
  })

  it('calls an answer without a body an incomplete stream', async () => {
    expect(await failing(streamReply([]))).toMatchObject({ code: 'INCOMPLETE_STREAM' })
  })

  it('calls a connection that breaks in the middle TRANSPORT', async () => {
    expect(await failing(streamReply(provider.begun('hello'), 'disconnect'))).toMatchObject({
      code: 'TRANSPORT',
    })
  })

  it('stops the provider when the caller aborts', async () => {
    const server = await testServer(streamReply(provider.begun('hello'), 'hang'))
    const model = fromAiSdk(provider.model(server.url))
    const controller = new AbortController()
    const answer = async () => {
      for await (const chunk of model.stream(request(model, { signal: controller.signal }))) {
        if (chunk.type === 'text-delta') controller.abort()
      }
    }
    expect(await failureOf(answer())).toMatchObject({ code: 'ABORTED' })
    await server.abandoned
  })

  it('stops the provider when nobody reads on', async () => {
    const server = await testServer(streamReply(provider.begun('hello'), 'hang'))
    const model = fromAiSdk(provider.model(server.url))
    for await (const chunk of model.stream(request(model))) if (chunk.type === 'text-delta') break
    await server.abandoned
    expect(server.requests).toHaveLength(1)
  })
})
