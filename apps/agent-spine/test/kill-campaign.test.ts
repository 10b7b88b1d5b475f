import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundleCli } from './bundle-cli.js'

it('a short campaign of kills at random moments loses nothing', { timeout: 120_000 }, async () => {
  const campaign = fileURLToPath(new URL('kill-campaign.js', import.meta.url))
  const cli = await bundleCli('kill-campaign')
  const args = [campaign, '--kills', '2', '--cli', cli]
  const stdout = await new Promise<string>(resolve => {
    execFile(process.execPath, args, (_error, output) => resolve(output))
  })
  const summary = JSON.parse(stdout) as { kills: number; problems: unknown[] }
  expect(summary.problems).toEqual([])
  expect(summary.kills).toBeGreaterThan(0)
})
