import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionEvent } from '@agent-spine/session'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { conversationAt, surfaceEvents } from '../src/conversation-at.js'
import { isProblemEvent } from '../src/event-filter.js'
import { createLiveLog, pageAssets, startLiveServer } from '../src/index.js'
import { chromiumPath, launchChromium } from './chromium.js'
import { artefacts, writePage } from './page-file.js'
import {
  failedLog,
  hostileLog,
  hostileTexts,
  killedLog,
  LogWriter,
  longLog,
  sampleLog,
} from './sample-log.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

describe.skipIf(chromiumPath === undefined)('the page in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  /** Opens a page, and notes everything that went wrong in it or that it asked the network for. */
  async function open(url: string): Promise<{ readonly page: Page; readonly trouble: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1300, height: 850 } })
    const trouble: string[] = []
    page.on('pageerror', error => trouble.push(String(error)))
    page.on('console', message => trouble.push(message.text()))
    page.on('dialog', dialog => {
      trouble.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', request => {
      if (!/^(file|data):/.test(request.url()) && request.url().split('events')[0] !== url) {
        trouble.push(request.url())
      }
    })
    await page.goto(url)
    return { page, trouble }
  }

  async function openLog(events: readonly SessionEvent[], session?: string) {
    const opened = await open((await writePage(events, session)).url)
    await opened.page.getByText(/log: (sound|illegal|violated|needs-repair)/).waitFor()
    return opened
  }

  /** Answers how long the page's main thread has worked. */
  async function cpuClock(page: Page): Promise<() => Promise<number>> {
    const client = await page.context().newCDPSession(page)
    await client.send('Performance.enable', { timeDomain: 'threadTicks' })
    return async () => {
      const { metrics } = await client.send('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
    }
  }

  /** Runs in the page: marks the frame in which the waterfall can first be seen. */
  function noteFirstBar(): void {
    const look = () => {
      if (document.querySelector('.bar') !== null) performance.mark('first bar')
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }

  const details = (page: Page) => page.getByRole('complementary', { name: 'Details' })

  it('a newcomer finds in one click which call was skipped, and why', async () => {
    const { page, trouble } = await openLog(sampleLog())
    const look = page.getByRole('region', { name: 'Calls to look at' })
    await expect.poll(() => look.getByRole('heading').textContent()).toContain('2 skipped')
    await look.getByRole('button', { name: /skipped write_report second\.md/ }).click()
    const said = await details(page).textContent()
    expect(said).toContain('ABORTED_BEFORE_DISPATCH')
    expect(said).toContain('The turn was cancelled before the call ran. It had no effect.')
    expect(said).toContain('The turn ended: aborted by user')
    expect(await page.locator('.row.is-selected').textContent()).toContain('ABORTED_BEFORE_DISPATCH')
    expect(await page.locator('.bar.is-selected').getAttribute('data-call')).toBe('d2')
    expect(trouble).toEqual([])
    await page.close()
  })

  it('a call that the model asked for and that never started says so, by chip and by key', async () => {
    const { page, trouble } = await openLog(killedLog().events, 'killed')
    await page.getByRole('button', { name: /open write_report k2\.md/ }).click()
    const said = () => details(page).textContent()
    await expect.poll(said).toContain('write_report k2.md')
    expect(await said()).toContain(
      'Why: The model asked for this call, and it has not started, so it has had no effect.',
    )
    expect(await said()).toContain('will close it as not started (TOOL_NOT_STARTED)')
    expect(await page.locator('.chip[aria-pressed=true]').textContent()).toContain('k2.md')
    await page.keyboard.press('n')
    await expect.poll(said).toContain('write_report k3.md')
    await page.keyboard.press('n')
    await expect.poll(said).toContain('run_tests A')
    await page.keyboard.press('p')
    await expect.poll(said).toContain('write_report k3.md')
    expect(await page.locator('.lane-label').allTextContents()).toEqual([
      'turns',
      'steps',
      'model',
      'slot 1',
      'slot 2',
      'not run',
    ])
    expect(await page.locator('.lane').last().locator('.phase').count()).toBe(0)
    expect(trouble).toEqual([])
    await page.close()
  })

  it('no bar, duration or moment of a call lasts until a repair that came minutes later', async () => {
    const { page } = await openLog(failedLog().wait(174_000).owner().repairs().events, 'failed')
    const bar = (callId: string) => page.locator(`[data-call="${callId}"]`)
    await page.getByRole('button', { name: /unknown run_tests A/ }).click()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    const rows = () => details(page).locator('.timing tr').allTextContents()
    expect(await bar('f0').getAttribute('title')).toContain('body 28 ms known, end unknown')
    expect(await details(page).textContent()).toContain('Nobody knows when its body ended')
    expect(await rows()).toEqual([
      expect.stringMatching(/^asked for/),
      expect.stringMatching(/^started/),
      'body began+0.011 safter 1 msseq 7',
      'last known+0.039 safter 28 msseq 12',
      'repaired+2:54.039after 2 min 54 sseq 14',
    ])
    await bar('f1').click()
    expect(await bar('f1').getAttribute('title')).toBe(
      'run_tests B: done, prepare 1 ms, body 12 ms, waiting for its turn 5 ms',
    )
    await expect.poll(async () => (await rows())[3]).toBe('body ended+0.034 safter 12 msseq 10')
    expect(await details(page).textContent()).not.toContain('Nobody knows')
    const edges = await page.evaluate(() => {
      const edge = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect().right ?? NaN
      return { unknown: edge('[data-call=f0]'), done: edge('[data-call=f1] .phase.body'), cut: edge('.cut') }
    })
    expect(edges.done).toBeLessThan(edges.unknown)
    expect(edges.unknown).toBeLessThan(edges.cut)
    expect(await page.locator('.is-end-unknown[data-call]').count()).toBe(1)
    await page.close()
  })

  it('says above all that a session is damaged, and where it is not', async () => {
    const damage = 'found <b>a checksum</b> that does not match'
    const { page } = await open((await writePage(sampleLog().slice(0, 40), 'damaged', { damage })).url)
    expect(await page.getByRole('alert').textContent()).toContain(damage)
    await page.close()
    const { page: whole } = await openLog(sampleLog())
    expect(await whole.getByRole('alert').count()).toBe(0)
    await whole.close()
  })

  it('a call whose bar is too narrow for its name says it beside the bar', async () => {
    const log = new LogWriter()
    const call = ['n0', 'write_report', { path: 'report.md' }] as const
    log.turn().step().says('write it').wait(4000).answers('Now.', [call])
    log
      .starts(...call)
      .dispatches('n0')
      .wait(20)
      .results('n0', 'Done.')
      .endStep()
      .endTurn()
    const { page } = await openLog(log.events)
    await expect.poll(() => page.locator('.bar-note').allTextContents()).toEqual(['write_report report.md'])
    await page.close()
  })

  it('draws one bar for each call of the view, with its phases, and the barrier', async () => {
    const { page } = await openLog(sampleLog())
    await page.getByRole('button', { name: /refused edit_file/ }).click()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.locator('[data-call="c2"] .phase.waiting').waitFor()
    expect(await page.locator('[data-call="c2"] .phase').count()).toBe(3)
    expect(await page.locator('.barrier').first().getAttribute('title')).toContain('3 calls before it')
    await page.close()
  })

  it('nothing of a hostile session runs, wherever it is shown', async () => {
    const { page, trouble } = await openLog(hostileLog(), '</title><script>document.title="PWNED"</script>')
    for (let index = 0; index < hostileTexts.length; index++) {
      await page.locator('.chip').or(page.locator('.plot')).first().focus()
      await page.keyboard.press('ArrowRight')
    }
    for (const tab of ['conversation', 'checks', 'tokens', 'log']) {
      await page.getByRole('tab', { name: tab }).click()
    }
    await page.getByLabel('Search the log').fill('<img')
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(0)
    expect(await page.title()).not.toBe('PWNED')
    expect(await page.title()).toContain('</title>')
    expect(await page.locator('#app img, #app script, #app svg, #app a').count()).toBe(0)
    expect(await page.locator('script:not([type])').count()).toBe(1)
    await page.getByLabel('Search the log').fill('red')
    await expect.poll(() => page.locator('.rows').textContent()).toContain('␛[31mred')
    expect(trouble).toEqual([])
    await page.close()
  })

  it('its policy stops a script and an address that got in nevertheless', async () => {
    const { page, trouble } = await openLog(sampleLog())
    await page
      .evaluate(() => {
        const script = document.createElement('script')
        try {
          script.textContent = 'document.title = "PWNED"'
        } catch {
          script.append('document.title = "PWNED"')
        }
        document.body.append(script)
      })
      .catch(() => undefined)
    const fetched = await page.evaluate(() =>
      fetch('https://example.invalid/').then(
        () => 'sent',
        () => 'refused',
      ),
    )
    expect(await page.title()).not.toBe('PWNED')
    expect(fetched).toBe('refused')
    expect(trouble.join('\n')).toContain('Content Security Policy')
    await page.close()
  })

  it('shows at any seq what deriveMessages gives', async () => {
    const events = sampleLog()
    const { page } = await openLog(events)
    await page.getByRole('tab', { name: 'conversation' }).click()
    const surface = surfaceEvents(events)
    for (const seq of [0, 2, 16, 25, events.length - 1]) {
      await page.getByLabel('After event seq').fill(String(seq))
      await page.getByText(`after seq ${seq}:`).waitFor()
      expect(await page.locator('.message').count()).toBe(conversationAt(surface, seq).length)
    }
    await page.getByLabel('After event seq').fill('20')
    await page.getByLabel('if it died here').check()
    await page.getByText('repair would add 5, marked here').waitFor()
    expect(await page.locator('.message.is-new').count()).toBe(5)
    await page.close()
  })

  it('can be used with the keyboard alone', async () => {
    const { page, trouble } = await openLog(sampleLog())
    const selected = () => page.locator('.row.is-selected .seq').textContent()
    await page.keyboard.press('ArrowDown')
    await expect.poll(selected).toBe('0')
    await page.keyboard.press('End')
    await expect.poll(selected).toBe('76')
    await page.keyboard.press('ArrowUp')
    await expect.poll(selected).toBe('75')
    await page.keyboard.press('Home')
    await expect.poll(selected).toBe('0')
    await page.keyboard.press('n')
    await expect.poll(() => details(page).textContent()).toContain('edit_file ../outside')
    await page.keyboard.press('n')
    await expect.poll(() => details(page).textContent()).toContain('run_tests D')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => details(page).textContent()).toContain('edit_file ../outside')
    await page.keyboard.press('Escape')
    await expect.poll(() => details(page).textContent()).toContain('Choose a call')

    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)

    await page.keyboard.press('/')
    await page.keyboard.type('is:problem')
    const problems = sampleLog().filter(isProblemEvent).length
    await page.getByText(`${problems} of 77 events`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('55 of 77 events').waitFor()

    await page.keyboard.press('3')
    expect(await page.getByRole('tab', { name: 'checks' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('t')
    expect(await page.evaluate(() => document.documentElement.style.colorScheme)).toBe('light')
    await page.keyboard.press('Shift+Tab')
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
    )
    expect(outline).toBe('solid')
    expect(trouble).toEqual([])
    await page.close()
  })

  it('holds 100 000 events: few elements at any place, the last one reachable, search over all', async () => {
    const events = longLog(100_000)
    const { url, bytes } = await writePage(events, 'long')
    const page = await browser.newPage({ viewport: { width: 1300, height: 850 } })
    const cpuMs = await cpuClock(page)
    await page.addInitScript(noteFirstBar)
    await page.goto(url)
    await page.getByText('log: sound').waitFor()
    await page.locator('.row').first().waitFor()
    const shownMs = await page.evaluate(() => performance.getEntriesByName('first bar')[0]?.startTime)
    const shownCpuMs = cpuMs()
    // Of processor time, for this machine may be busy. A page that held every event as JSON took three times as much.
    expect(await shownCpuMs).toBeLessThan(2500)
    expect(bytes).toBeLessThan(3_000_000)

    await page.getByLabel('Kind of event').selectOption('everything')
    await page.getByText(/of 1\d\d \d\d\d events/).waitFor()
    const scroll = await page.evaluate(async () => {
      const viewport = document.querySelector('.viewport')
      if (viewport === null) throw new Error('expected the log')
      const frames: number[] = []
      let mostElements = 0
      let last = await new Promise<number>(resolve => requestAnimationFrame(resolve))
      for (let step = 0; step < 120; step++) {
        viewport.scrollTop = (viewport.scrollHeight * step) / 119
        const now = await new Promise<number>(resolve => requestAnimationFrame(resolve))
        frames.push(now - last)
        last = now
        mostElements = Math.max(mostElements, document.querySelectorAll('*').length)
      }
      frames.sort((one, other) => one - other)
      return { mostElements, medianMs: frames[60], p95Ms: frames[114], worstMs: frames[119] }
    })
    expect(scroll.mostElements).toBeLessThan(6000)
    const scrolledCpuMs = await cpuMs()
    expect((scrolledCpuMs - (await shownCpuMs)) / 120).toBeLessThan(100)
    await expect.poll(() => page.locator('.row .seq').last().textContent()).toBe(String(events.length - 1))

    const searchedAt = performance.now()
    await page.getByLabel('Search the log').fill(`file-3 turn:${events.length > 0 ? 5 : 0}`)
    await page.getByText(/^\d+ of 1\d\d \d\d\d events/).waitFor()
    const searchMs = performance.now() - searchedAt
    await page.getByRole('tab', { name: 'conversation' }).click()
    await page.locator('.message').first().waitFor()
    const beforeSlideCpuMs = await cpuMs()
    const slide = await page.evaluate(async () => {
      const slider = document.querySelector<HTMLInputElement>('input[type=range]')
      if (slider === null) throw new Error('expected the slider')
      let last = await new Promise<number>(resolve => requestAnimationFrame(resolve))
      let worstMs = 0
      for (let step = 0; step < 20; step++) {
        slider.value = String(Math.floor((Number(slider.max) * step) / 19))
        slider.dispatchEvent(new Event('input'))
        const now = await new Promise<number>(resolve => requestAnimationFrame(resolve))
        worstMs = Math.max(worstMs, now - last)
        last = now
      }
      return { worstMs }
    })
    const slideCpuMs = ((await cpuMs()) - beforeSlideCpuMs) / 20
    expect(slideCpuMs).toBeLessThan(100)
    const cpu = { shownMs: await shownCpuMs, frameOfSlideMs: slideCpuMs }
    const measured = { events: events.length, bytes, shownMs, scroll, searchMs, slide, cpu }
    await writeFile(join(artefacts, 'measurements.json'), `${JSON.stringify(measured, null, 2)}\n`)
    console.log(JSON.stringify(measured))
    await page.screenshot({ path: join(artefacts, 'long.png') })
    await page.close()
  })

  it('a live page shows what is written meanwhile, and says when that ends', async () => {
    const all = sampleLog()
    let written = 20
    // eslint-disable-next-line @typescript-eslint/require-await -- a log is read asynchronously
    const log = createLiveLog(async function* () {
      yield* all.slice(0, written)
    })
    await log.refresh()
    const server = await startLiveServer({ about: { session: 'running' }, log, assets: pageAssets })
    const { page, trouble } = await open(server.url)
    await page.getByText('● live').waitFor()
    await page.getByText('20 events').first().waitFor()
    written = all.length
    await log.refresh()
    await page.getByText('77 events').first().waitFor()
    await page.getByRole('button', { name: /skipped write_report second\.md/ }).waitFor()
    await server.close()
    await page.getByText('no longer followed').waitFor()
    expect(trouble).toEqual([])
    await page.close()
  })
})

it.runIf(chromiumPath === undefined)('says that the browser tests were skipped', context => {
  context.skip('no Chromium here: install the package chromium, or set AGENT_SPINE_CHROMIUM')
})
