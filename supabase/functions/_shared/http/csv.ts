import type { Context } from 'hono'

/** What a cell of a table may hold; null is an empty one. */
export type CsvCell = string | number | null

const startsAFormula = /^\s*[=+\-@＝＋－＠]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/
const needsQuotes = /[",]/
/** A reader that separates by another sign would begin a row at a line break, and a cell at a tab. */
const breaks = /[\p{Cc}\u2028\u2029]+/gu
/** Where a reader that separates by semicolons would begin a cell with a formula. */
const anotherStart = /;(?=["'\s]*[=+\-@＝＋－＠])/g
/** Signs that turn around what stands behind them. */
const turns = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * A table as CSV text: RFC 4180 with CRLF, and a byte order mark so that spreadsheets read it as UTF-8. A text that
 * a spreadsheet would take for a formula begins with an apostrophe instead, and each cell is one line.
 */
export const toCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${[header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  const text = String(cell).replace(breaks, ' ').replace(turns, '').replace(anotherStart, ";'")
  const harmless = startsAFormula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Answers such a text as a download. `name` is our own: letters, digits, dots and hyphens. */
export function passCsv(c: Context, name: string, text: string): Response {
  return c.body(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}
