import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  errorReply,
  streamReply,
  wireServer,
  type WireReply,
  type WireServer,
} from '../../../packages/ai-sdk/test/wire-server.js'
import { googleEvents } from '../../../packages/ai-sdk/test/google-wire.js'
import { modelProviders } from '../src/model/model-providers.js'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, startCli, type CliOptions } from './cli-process.js'
import { compatible, openai, wireModels, type WireModel } from './wire-models.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const key = 'sk-secret-0123456789'
let options: CliOptions

beforeAll(async () => {
  options = { cli: await bundleCli('real-models'), home: await mkdtemp(join(tmpdir(), 'home-')) }
})

interface Wire {
  readonly server: WireServer
  /** The command with the model's flags and key. */
  readonly start: (...args: readonly string[]) => ReturnType<typeof startCli>
}

/** Speaks for a provider with the given replies, while `use` runs. */
async function withWire(
  { name, variable }: WireModel,
  replies: readonly WireReply[],
  use: (wire: Wire) => Promise<void>,
): Promise<void> {
  const server = await wireServer(replies)
  const withKey = { ...options, variables: { [variable]: key } }
  try {
    await use({
      server,
      start: (...args) => startCli([...args, '--model', name, '--base-url', server.url], withKey),
    })
  } finally {
    await server.close()
  }
}

async function workspaceWithTest(): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'real '))
  const test = `import { test } from 'node:test'\ntest('a', () => {})\n`
  await writeFile(join(workspace, 'unit.test.mjs'), test)
  return workspace
}

async function expectSound(id: string): Promise<void> {
  const { code, stdout } = await runCli(['verify', id, '--json'], options)
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, verdict: 'sound' })
}

describe.concurrent.each(wireModels)('$name', model => {
  it('does a task: its text, its call, the real result, its last word', () =>
    withWire(
      model,
      [
        streamReply(model.calls('I will run them.', 'run_tests', { directory: '.' })),
        streamReply(model.text('One test passed.')),
      ],
      async ({ server, start }) => {
        const workspace = await workspaceWithTest()
        const { code, stdout, stderr } = await start('run', 'run the tests', '--workspace', workspace).end
        expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'One test passed.\n' })
        expect(stderr).toContain('● I will run them.\n▶ run_tests .\n✓ run_tests .: 1 passed\n')
        const [first, second] = server.requests
        expect(first?.headers[model.header]).toContain(key)
        expect(first?.text).toContain('run_tests')
        expect(second?.text).toContain('\\"passed\\":1,')
        expect(server.requests).toHaveLength(2)
      },
    ))

  it('is cancelled while it answers, and resumed', () =>
    withWire(
      model,
      [streamReply(model.begun('I will '), 'hang'), streamReply(model.text('Here I am again.'))],
      async ({ server, start }) => {
        const run = start('run', '--json', 'hello', '--workspace', await workspaceWithTest())
        const { id } = await run.event('session')
        await run.event('text')
        run.child.kill('SIGINT')
        const end = await run.end
        expect(end.code, end.stderr).toBe(130)
        expect(end.stdout).toContain('"interrupted":true')
        await server.abandoned
        const resumed = await start('resume', id).end
        expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: 'Here I am again.\n' })
        expect(server.requests[1]?.text).toContain('I will ')
        await expectSound(id)
      },
    ))

  it('loses its connection while it answers, and is asked again', () =>
    withWire(
      model,
      [streamReply(model.begun('Lost '), 'disconnect'), streamReply(model.text('Whole.'))],
      async ({ start }) => {
        const run = start('run', '--json', 'hello', '--workspace', await workspaceWithTest())
        const { code, stdout } = await run.end
        expect(code, stdout).toBe(0)
        const events = jsonLines(stdout)
        expect(events).toContainEqual(expect.objectContaining({ type: 'retry', retry: 1, code: 'TRANSPORT' }))
        expect(events.at(-1)).toMatchObject({ type: 'summary', ok: true, text: 'Whole.' })
      },
    ))

  it('refuses the key: a code, a hint, and the key nowhere, although the provider repeats it', () =>
    withWire(model, [errorReply(401, model.error(`Wrong key: ${key}.`))], async ({ server, start }) => {
      const run = start('run', '--json', 'hello', '--workspace', await workspaceWithTest())
      const { code, stdout, stderr } = await run.end
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
      expect(jsonLines(stdout).at(-1)).toMatchObject({
        ...{ type: 'summary', ok: false, exitCode: 1, code: 'AUTH' },
        message: `${model.name} answered 401: Wrong key: [the key].`,
        hint: expect.stringContaining('--model list') as string,
      })
      expect(server.requests[0]?.headers[model.header]).toContain(key)
      const log = await readFile((await run.event('session')).file, 'utf8')
      expect(log).toContain('Wrong key')
      for (const text of [stdout, log]) expect(text).not.toContain(key)
    }))
})

describe.concurrent('a model call that fails', () => {
  const good = streamReply(openai.text('Done.'))
  const run = async (
    replies: readonly WireReply[],
    check: (end: Awaited<ReturnType<typeof runCli>>) => void,
  ) =>
    withWire(openai, replies, async ({ start }) => {
      check(await start('run', 'hello', '--workspace', await workspaceWithTest()).end)
    })

  it('for a passing reason: is tried again, and says so', () => {
    const retryAfter = { 'retry-after-ms': '1' }
    return run(
      [errorReply(429, openai.error('Slow down.'), retryAfter), errorReply(500, openai.error('Oh.')), good],
      ({ code, stdout, stderr }) => {
        expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Done.\n' })
        expect(stderr).toMatch(
          /↻ openai:gpt-5-mini answered 429: Slow down\. \[RATE_LIMITED\]; again in \d\.\d s \(1 of 3\)/,
        )
        expect(stderr).toMatch(/↻ .* answered 500: Oh\. \[OVERLOADED\]; again in \d\.\d s \(2 of 3\)/)
      },
    )
  })

  it('with a stream that is no JSON: is tried again', () =>
    run([streamReply(['data: {"not json\n\n', 'data: [DONE]\n\n']), good], ({ code, stdout, stderr }) => {
      expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Done.\n' })
      // A line, although the parser's message has two.
      expect(stderr).toMatch(/^↻ openai:gpt-5-mini failed: .*JSON.*\[INCOMPLETE_STREAM\]; again in/m)
    }))

  it('with a wait longer than a person would: gives up at once, with a hint', () =>
    run([errorReply(429, openai.error('Tomorrow.'), { 'retry-after': '86400' })], ({ code, stderr }) => {
      expect(code).toBe(1)
      expect(stderr).toContain('error RATE_LIMITED: openai:gpt-5-mini answered 429: Tomorrow.\n  hint: wait')
      expect(stderr).toMatch(/go on with: agent-spine resume \d{8}-/)
    }))

  it('because there is no such model: says what to check, and is not tried again', () =>
    run([errorReply(404, openai.error('No such model.'))], ({ code, stderr }) => {
      expect(code).toBe(1)
      expect(stderr).toContain(
        'error INVALID_REQUEST: openai:gpt-5-mini answered 404: No such model.\n  hint: check the name of the model',
      )
    }))

  it('because the key may not: prints the code, the hint and no key', () =>
    run([errorReply(403, openai.error(`Not ${key}.`))], ({ code, stdout, stderr }) => {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('error AUTH: openai:gpt-5-mini answered 403: Not [the key].\n  hint: check')
      expect(stderr).not.toContain(key)
    }))

  it('with orders to the terminal in its message: prints none of them', () =>
    run([errorReply(400, openai.error('\u001b[2Jgone'))], ({ stderr }) => {
      expect(stderr).toContain(' [2Jgone')
      expect(stderr).not.toContain('\u001b')
    }))

  it('because nobody is there: says where to look', () =>
    withWire(openai, [], async ({ server, start }) => {
      await server.close()
      const { code, stderr } = await start('run', 'hello', '--workspace', await workspaceWithTest()).end
      expect(code).toBe(1)
      expect(stderr).toContain('(3 of 3)')
      expect(stderr).toContain('error TRANSPORT: openai:gpt-5-mini failed: Cannot connect')
      expect(stderr).toContain('hint: check the network, and --base-url')
    }))
})

it('every provider is held to these tests', () => {
  expect(wireModels.map(({ name }) => name.split(':')[0]).sort()).toEqual(
    modelProviders.map(({ name }) => name).sort(),
  )
})

describe.concurrent('what of an answer has no place in the log', () => {
  const google = wireModels.find(({ variable }) => variable === 'GEMINI_API_KEY') ?? openai
  const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
  const answers = () =>
    ['One.', 'Two.'].map(text => streamReply(googleEvents([[image], [image], [{ text }]], 'STOP')))
  const message = `${google.name}: a part of type "file" was left out of the answer`

  it('is told, once, to a person', () =>
    withWire(google, answers(), async ({ start }) => {
      const { code, stderr } = await start('run', 'hello', '--workspace', await workspaceWithTest()).end
      expect(code, stderr).toBe(0)
      expect(stderr.split(`! ${message}\n`)).toHaveLength(2)
    }))

  it('is told, once, to a script', () =>
    withWire(google, answers(), async ({ start }) => {
      const run = start('run', '--json', 'hello', '--workspace', await workspaceWithTest())
      const { stdout } = await run.end
      const warnings = jsonLines(stdout).filter(({ type }) => type === 'warning')
      expect(warnings).toEqual([{ type: 'warning', kind: 'left-out', message }])
    }))
})

it('demo shows what a model did that did nothing', () =>
  withWire(openai, [streamReply(openai.text('I would rather not.'))], async ({ start }) => {
    const { code, stdout, stderr } = await start('demo').end
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('I would rather not.\n')
    expect(stdout).toContain('The model wrote none.')
  }))

it('a log does not decide where a key goes: the address has to be said again', () =>
  withWire(openai, [streamReply(openai.text('One.'))], async ({ server, start }) => {
    const run = start('run', '--json', 'hello', '--workspace', await workspaceWithTest())
    const { id } = await run.event('session')
    await run.end
    const withKey = { ...options, variables: { [openai.variable]: key } }
    const { code, stderr } = await runCli(['resume', id, 'more'], withKey)
    expect(code).toBe(2)
    expect(stderr).toContain('error BASE_URL_NOT_CONFIRMED: ')
    expect(stderr).toContain(`--base-url ${server.url}`)
    expect(server.requests).toHaveLength(1)
  }))

it('a server that needs no key is resumed where it was', () => {
  return withWire(
    compatible,
    [streamReply(compatible.text('One.')), streamReply(compatible.text('Two.'))],
    async ({ server }) => {
      const place = ['--workspace', await workspaceWithTest()]
      const model = ['--model', compatible.name, '--base-url', server.url]
      const run = startCli(['run', '--json', 'hello', ...place, ...model], options)
      const { id } = await run.event('session')
      expect((await run.end).code).toBe(0)
      expect(await runCli(['resume', id, 'more'], options)).toMatchObject({ code: 0, stdout: 'Two.\n' })
      expect(server.requests[0]?.headers['authorization']).toBeUndefined()
      expect(server.requests[1]?.json['model']).toBe('vendor/model-1')
    },
  )
})

it('what a model runs does not see the keys', async () => {
  const args = ['run', 'run `echo "<$OPENAI_API_KEY><$PLAIN>"`', '--allow-bash']
  const variables = { OPENAI_API_KEY: key, PLAIN: 'seen' }
  const { stdout } = await runCli([...args, '--workspace', await workspaceWithTest()], {
    ...options,
    variables,
  })
  expect(stdout).toContain('<><seen>')
})

describe.concurrent('--model list', () => {
  const noKeys = Object.fromEntries(
    modelProviders.flatMap(({ variables }) => variables.map(name => [name, ''])),
  )

  it('--json says which variable each provider needs, and which is set, not its value', async () => {
    const variables = { ...noKeys, GEMINI_API_KEY: key }
    const { code, stdout } = await runCli(['run', '--model', 'list', '--json'], { ...options, variables })
    expect(code).toBe(0)
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(line => line['provider'])).toEqual(modelProviders.map(({ name }) => name))
    expect(lines[0]).toMatchObject({ provider: 'openai', variables: ['OPENAI_API_KEY'], keyFrom: null })
    expect(lines[3]).toMatchObject({ provider: 'google', keyFrom: 'GEMINI_API_KEY' })
    expect(lines[4]).toMatchObject({ provider: 'openai-compatible', needsKey: false, baseUrl: null })
    expect(stdout).not.toContain(key)
  })

  it('prints it for a person', async () => {
    const variables = { ...noKeys, ANTHROPIC_API_KEY: key }
    const { code, stdout, stderr } = await runCli(['demo', '--model', 'list'], { ...options, variables })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^anthropic +ANTHROPIC_API_KEY: set$/m)
    expect(stdout).toMatch(/^deepseek +DEEPSEEK_API_KEY: not set$/m)
    expect(stdout).not.toContain(key)
  })
})
