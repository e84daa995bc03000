import { i18n } from '@lingui/core'

/** The formats created so far, by locale and options. Creating one takes long. */
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function getFormat<Format extends Intl.NumberFormat | Intl.DateTimeFormat, Options>(
  create: new (locales: string | string[], options: Options) => Format,
  options: Options,
): Format {
  const locales = i18n.locales ?? i18n.locale
  const key = JSON.stringify([create.name, locales, options])
  const format = (formats.get(key) as Format | undefined) ?? new create(locales, options)
  formats.set(key, format)
  return format
}

/** Returns a number format in the app's language and the browser's variant of it. */
export const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  getFormat(Intl.NumberFormat, options)

/** Returns a date format in the app's language and the browser's variant of it. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  getFormat(Intl.DateTimeFormat, options)

/** Formats 12345 as '12,345'. */
export function formatCount(value: number): string {
  return numberFormat().format(value)
}

/** Formats 1234 as '1.2K'. */
export function compactNumber(value: number): string {
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** '$' and not 'US$' outside of the United States, because all amounts are in US dollars. */
const dollarOptions = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const

/** Formats 12.5 as '$12.50', 1234 as '$1,234.00' and -5 as '-$5.00'. */
export function dollars(amount: number): string {
  // `|| 0` turns -0 into 0, which would be formatted as '-$0.00'.
  return numberFormat(dollarOptions).format(Math.round(amount * 100) / 100 || 0)
}

/** Formats 4523 as '$4.5K', for chart axes and narrow columns. */
export function shortDollars(amount: number): string {
  return numberFormat({ ...dollarOptions, notation: 'compact', maximumFractionDigits: 1 }).format(amount || 0)
}

/** '1250', '1,250', '1,250.50' and '.5'. */
const amountWithPoint = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d{0,2})?$/
/** '1250,50': one comma, followed by cents. */
const amountWithDecimalComma = /^\d+,\d{1,2}$/

/**
 * Parses an amount that the user typed, such as '$1,250.50' or '9,99'. Three digits after a comma are thousands; one or
 * two digits after a single comma are cents. Returns NaN for anything else, so that no amount is misread. That includes
 * '1.250', where the three digits may be meant as thousands.
 */
export function parseAmount(typed: string): number {
  const text = typed.trim().replace(/^\$\s*/, '')
  if (amountWithDecimalComma.test(text)) return Number(text.replace(',', '.'))
  return /\d/.test(text) && amountWithPoint.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}
