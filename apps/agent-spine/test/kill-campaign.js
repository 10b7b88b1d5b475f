#!/usr/bin/env node
/**
 * Kills `agent-spine run` with SIGKILL at random moments, and checks after each that the session opens, verifies, and that
 * `resume` finishes the job truthfully. Prints a JSON summary; exits 1 if anything was lost.
 *
 *   node apps/agent-spine/test/kill-campaign.js [--kills 20] [--seed N] [--cli PATH]
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cli: { type: 'string', default: fileURLToPath(new URL('../bin/agent-spine.js', import.meta.url)) },
  },
})
const kills = Number(values.kills)
const home = mkdtempSync(join(tmpdir(), 'agent-spine-kills-'))
const random = createRandom(Number(values.seed))

const summary = {
  seed: Number(values.seed),
  kills: 0,
  beforeSession: 0,
  afterEnd: 0,
  phases: {},
  verified: 0,
  resumed: 0,
  problems: [],
}
const wholeRunMs = await timeWholeRun()
for (let round = 0; summary.kills < kills; round++) await killOnce(round)
await verifyAll()
process.stdout.write(`${JSON.stringify({ ...summary, wholeRunMs: Math.round(wholeRunMs) }, null, 2)}\n`)
rmSync(home, { recursive: true, force: true })
process.exit(summary.problems.length === 0 && summary.verified === summary.resumed ? 0 : 1)

async function killOnce(round) {
  const run = start(['run', '--json'])
  await new Promise(resolve => setTimeout(resolve, random() * wholeRunMs))
  run.child.kill('SIGKILL')
  const { stdout, code } = await run.end
  const events = lines(stdout)
  const [session] = events
  if (code === null) summary.kills += 1
  else summary.afterEnd += 1
  if (session === undefined) {
    // Nobody was told of a session, so none can be missed.
    summary.beforeSession += 1
    return
  }
  const phase = events.at(-1).type
  summary.phases[phase] = (summary.phases[phase] ?? 0) + 1
  const expect = (what, ok, end) =>
    ok || summary.problems.push({ round, phase, session: session.id, what, ...end })

  const verified = await start(['verify', session.id, '--json']).end
  expect('verify after the kill', verified.code === 0, verified)
  const resumed = await start(['resume', session.id, '--json']).end
  expect('resume', resumed.code === 0 && lines(resumed.stdout).at(-1)?.ok === true, resumed)
  const afterwards = await start(['verify', session.id, '--json']).end
  expect('verify after the resume', lines(afterwards.stdout).at(-1)?.verdict === 'sound', afterwards)
  const log = await start(['log', session.id, '--json']).end
  expect('nothing that was durable is missing', includesDurable(lines(log.stdout), events), {})
  const report = join(session.workspace, 'report.md')
  expect('the report is true', isTrueReport(report), { report: textOf(report) })
  summary.verified += verified.code === 0 ? 1 : 0
  summary.resumed += resumed.code === 0 ? 1 : 0
  rmSync(session.workspace, { recursive: true, force: true })
}

/** Every session there is, also those nobody was told of. */
async function verifyAll() {
  const { stdout } = await start(['sessions', '--json']).end
  for (const { id } of lines(stdout)) {
    const verified = await start(['verify', id]).end
    if (verified.code !== 0) summary.problems.push({ session: id, what: 'verify in the end', ...verified })
  }
}

/**
 * What was durable when it was shown, or when something later was: everything before the first piece of an answer, because
 * no request leaves before the log up to it is durable, and the dispatch of every body that has ended.
 */
function includesDurable(log, events) {
  const before = events.findLastIndex(
    ({ type }, index) => type === 'text' && events[index - 1]?.type !== 'text',
  )
  const settled = new Set(events.filter(({ type }) => type === 'call-settled').map(({ callId }) => callId))
  return events
    .filter(
      ({ type, callId }, index) => index < before || (type === 'call-dispatched' && settled.has(callId)),
    )
    .every(({ seq, time }) => seq === undefined || log[seq]?.time === time)
}

function isTrueReport(file) {
  const text = textOf(file)
  return (
    text.includes('2 of 3 directories passed; 10 tests: 9 passed, 1 failed.') &&
    text.includes('| A | passed | 3 passed | 0 |') &&
    text.includes('| B | failed | 2 passed, 1 failed | 1 |') &&
    text.includes('| C | passed | 4 passed | 0 |')
  )
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function timeWholeRun() {
  const startedAt = performance.now()
  const { code, stderr } = await start(['run', '--json']).end
  if (code === 0) return performance.now() - startedAt
  process.stderr.write(stderr)
  process.exit(1)
}

function start(args) {
  const child = spawn(process.execPath, [values.cli, ...args], {
    env: { ...process.env, AGENT_SPINE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text))
  const end = new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
  return { child, end }
}

/** A kill may cut the last line. */
function lines(text) {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

/** mulberry32: small, seeded, good enough to spread moments. */
function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
