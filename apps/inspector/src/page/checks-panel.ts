import type { Finding } from '@agent-spine/invariant'
import { visibleText } from '../visible-text.js'
import type { Checks } from '../checks.js'
import { button, element } from './element.js'
import { plural } from './format.js'
import { fillMoreList } from './more-list.js'
import type { PageActions, PagePart } from './page-state.js'

const verdicts: Readonly<Record<Checks['verdict'], string>> = {
  sound:
    'Sound: every relation holds, nothing is open, and every provider would accept what the log derives.',
  'needs-repair':
    'Needs repair: every relation holds, and the log ends in the middle of work. It is running, or was killed.',
  violated: 'Violated: an event contradicts those before it. Repair does not touch such a log.',
  illegal: 'Illegal: a provider would refuse the conversation that the log derives.',
}

/** What the checks found: relations of the log, what is open, and what each provider would refuse. */
export function checksPanel(actions: PageActions): PagePart {
  const root = element('div', { class: 'panel checks' })

  function findingsSection(title: string, findings: readonly Finding[], empty: string): HTMLElement {
    const list = element('ul')
    fillMoreList(list, findings, finding => findingItem(finding, actions))
    return element(
      'section',
      { class: findings.length === 0 ? 'finding-group good' : 'finding-group bad' },
      element('h3', { text: `${findings.length === 0 ? '✓' : '✕'} ${title}` }),
      element('p', { text: findings.length === 0 ? empty : plural(findings.length, 'finding') }),
      list,
    )
  }

  return {
    element: root,
    show({ checks }, previous) {
      if (previous !== undefined && previous.checks === checks) return
      if (checks === undefined) {
        root.replaceChildren(element('p', { class: 'empty', text: 'Checking the log…' }))
        return
      }
      const { verdict, violations, open, legality } = checks
      root.replaceChildren(
        element('p', { class: `verdict verdict-${verdict}`, text: verdicts[verdict] }),
        findingsSection('Relations of the log', violations, 'Every event agrees with those before it.'),
        findingsSection('Open work', open, 'Every turn, step, model call and call was ended.'),
        ...legality.map(({ profile, findings }) =>
          findingsSection(
            `Accepted by ${profile === 'strict' ? 'all of them at once (strict)' : profile}`,
            findings,
            'The conversation of the log, repaired where it is open, would be accepted.',
          ),
        ),
        ...(legality.length === 0
          ? [
              element('p', {
                text: 'Providers were not asked: a violated log derives no conversation to rely on.',
              }),
            ]
          : []),
      )
    },
  }
}

function findingItem({ code, seq, message }: Finding, { select }: PageActions): HTMLElement {
  return element(
    'li',
    {},
    button(`seq ${seq}`, () => select(seq), { class: 'seq-link' }),
    element('code', { text: code }),
    element('span', { text: visibleText(message) }),
  )
}
