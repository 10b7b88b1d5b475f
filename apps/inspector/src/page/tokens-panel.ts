import { stepUsage, totalTokens, type StepUsage } from '../token-usage.js'
import { button, element } from './element.js'
import { formatCount, plural } from './format.js'
import { fillMoreList } from './more-list.js'
import type { PageActions, PagePart } from './page-state.js'

const columns = [
  ['input', 'inputTokens'],
  ['cache read', 'cacheReadTokens'],
  ['cache write', 'cacheWriteTokens'],
  ['output', 'outputTokens'],
  ['reasoning', 'reasoningTokens'],
] as const

/** What the model calls of each step used. */
export function tokensPanel(actions: PageActions): PagePart {
  const root = element('div', { class: 'panel tokens' })

  function table(steps: readonly StepUsage[]): HTMLElement {
    const most = steps.reduce((max, step) => Math.max(max, totalTokens(step)), 1)
    const body = element('tbody')
    fillMoreList(body, steps, step => usageRow(step, most, actions))
    const sums = columns.map(([, key]) => steps.reduce((sum, step) => sum + step[key], 0))
    const total = steps.reduce((sum, step) => sum + totalTokens(step), 0)
    return element(
      'table',
      {},
      headRow(),
      body,
      element(
        'tfoot',
        {},
        element(
          'tr',
          {},
          element('th', { text: 'all' }),
          element('td', { text: formatCount(steps.reduce((sum, { attempts }) => sum + attempts, 0)) }),
          ...sums.map(sum => element('td', { text: formatCount(sum) })),
          element('td', { text: formatCount(total) }),
          element('td', { class: 'share' }),
        ),
      ),
    )
  }

  return {
    element: root,
    show({ inspection, tab }, previous) {
      if (tab !== 'tokens') return
      if (previous?.inspection === inspection && previous.tab === 'tokens') return
      const steps = stepUsage(inspection.events)
      const silent = steps.filter(({ isKnown }) => !isKnown).length
      root.replaceChildren(
        ...(steps.length === 0
          ? [element('p', { class: 'empty', text: 'No model call has ended yet.' })]
          : [table(steps)]),
        ...(silent > 0
          ? [
              element('p', {
                class: 'note',
                text: `The model did not say what it used in ${plural(silent, 'step')}.`,
              }),
            ]
          : []),
      )
    },
  }
}

function headRow(): HTMLElement {
  const names = ['step', 'model calls', ...columns.map(([name]) => name), 'total']
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      ...names.map(text => element('th', { text, attributes: { scope: 'col' } })),
      element('td', { class: 'share' }),
    ),
  )
}

function usageRow(step: StepUsage, most: number, { select }: PageActions): HTMLElement {
  const total = totalTokens(step)
  const bar = element('span', { class: 'share-bar' })
  bar.style.width = `${(100 * total) / most}%`
  const known = (count: number) => (step.isKnown ? formatCount(count) : '–')
  return element(
    'tr',
    {},
    element(
      'th',
      { attributes: { scope: 'row' } },
      button(`${step.turn}.${step.step}`, () => select(step.seq), {
        class: 'seq-link',
        title: `turn ${step.turn}, step ${step.step}`,
      }),
    ),
    element('td', { text: formatCount(step.attempts) }),
    ...columns.map(([, key]) => element('td', { text: known(step[key]) })),
    element('td', { text: known(total) }),
    element('td', { class: 'share' }, bar),
  )
}
