/* eslint-disable no-control-regex -- control characters are what it looks for */

/**
 * Text in which nothing acts unseen: control characters, ANSI escapes among them, as their pictures (␛), and characters
 * that reorder or hide text by their code (‹U+202E›). Lines and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, control => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replace(/\u007f/g, '␡')
    .replace(
      /[\u0080-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu,
      codeOf,
    )
}

/** The start of a text on one line. */
export function oneLine(text: string, length: number): string {
  const line = visibleText(
    text
      .slice(0, length * 4)
      .trim()
      .replace(/\s*\n\s*/g, ' ⏎ '),
  ).replaceAll('\t', ' ')
  return line.length > length || text.length > length * 4
    ? `${line.slice(0, length - 1).toWellFormed()}…`
    : line
}

function codeOf(character: string): string {
  return `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`
}
