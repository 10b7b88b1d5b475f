import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, launchChromium } from './chromium.js'
import { artefacts, writePage } from './page-file.js'
import { sampleLog } from './sample-log.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const sizes = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'tablet', width: 820, height: 1100 },
  { name: 'phone', width: 390, height: 844 },
]
const themes = ['light', 'dark'] as const

describe.skipIf(chromiumPath === undefined)('pictures, for people to look at', () => {
  let browser: Browser
  let url: string

  beforeAll(async () => {
    browser = await launchChromium()
    url = (await writePage(sampleLog(), '20261130-154512-3f9a')).url
    await mkdir(artefacts, { recursive: true })
  })
  afterAll(() => browser.close())

  it.each(sizes.flatMap(size => themes.map(colorScheme => ({ ...size, colorScheme }))))(
    '$name ($width × $height) $colorScheme fits without a sideways scroll bar',
    async ({ name, width, height, colorScheme }) => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme })
      await page.goto(url)
      await page.getByText('log: sound').waitFor()
      await page.screenshot({ path: join(artefacts, `${name}-${colorScheme}.png`) })
      await page.getByRole('button', { name: /skipped.*second\.md/ }).click()
      await page.screenshot({ path: join(artefacts, `${name}-${colorScheme}-call.png`) })
      await page.keyboard.press('Escape')
      for (const tab of ['conversation', 'checks', 'tokens']) {
        await page.getByRole('tab', { name: tab }).click()
        await page.evaluate(
          () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        )
        await page.screenshot({ path: join(artefacts, `${name}-${colorScheme}-${tab}.png`) })
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      await page.close()
    },
  )
})
