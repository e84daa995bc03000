import type { Context } from 'hono'

/** The value of a CSV cell. Null is an empty cell. */
export type CsvCell = string | number | null

const startsFormula = /^\s*[=+\-@＝＋－＠]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/
const needsQuotes = /[",]/
/** Characters such as line breaks and tabs, at which some programs would start a new row or cell. */
const controlCharacters = /[\p{Cc}\u2028\u2029]+/gu
/** A semicolon before the start of a formula. A program that splits cells at semicolons would run the formula. */
const formulaAfterSemicolon = /;(?=["'\s]*[=+\-@＝＋－＠])/g
/** Characters that change the direction of the text around them. */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Returns a table as CSV text: RFC 4180 with CRLF, and a byte order mark so that spreadsheets read it as UTF-8. A cell
 * that a spreadsheet would take for a formula gets a leading apostrophe. Line breaks in cells become spaces.
 */
export const toCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${[header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  const text = String(cell)
    .replace(controlCharacters, ' ')
    .replace(bidiControls, '')
    .replace(formulaAfterSemicolon, ";'")
  const escaped = startsFormula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return needsQuotes.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** Sends CSV text as a download. `fileName` is not escaped: use letters, digits, dots and hyphens only. */
export function sendCsv(c: Context, fileName: string, text: string): Response {
  return c.body(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  })
}
