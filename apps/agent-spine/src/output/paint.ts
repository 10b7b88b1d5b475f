import { styleText } from 'node:util'
import { type Output } from './output.js'

export type Style = Parameters<typeof styleText>[0]

/** Styles text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

/** Colour only for a terminal whose user did not ask for none (no-color.org). */
export function paintFor({ isTerminal }: Output, environment: NodeJS.ProcessEnv): Paint {
  const isWanted = isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  return isWanted
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text
}
