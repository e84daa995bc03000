import { i18n } from '@lingui/core'

type Format = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat

/** The formats created so far, by locale and options. They are cached because creating one is slow. */
const formats = new Map<string, Format>()

function getFormat<F extends Format, Options>(
  create: new (locales: readonly string[], options: Options) => F,
  locales: readonly string[],
  options: Options,
): F {
  const key = JSON.stringify([create.name, locales, options])
  const format = (formats.get(key) as F | undefined) ?? new create(locales, options)
  formats.set(key, format)
  return format
}

/** Returns the browser's variants of the app's language, such as 'es-MX', followed by the language itself. */
const appLocales = () => [i18n.locales ?? i18n.locale].flat()

/**
 * Returns a number format in the app's language. Spanish numbers follow the browser's variant. English numbers look the
 * same everywhere ('1,234.50'), because some English strings contain amounts in this format.
 */
export const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  getFormat(Intl.NumberFormat, i18n.locale === 'en' ? ['en-US'] : appLocales(), options)

/** Returns a date format in the app's language and the browser's variant of it. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  getFormat(Intl.DateTimeFormat, appLocales(), options)

/** Returns a format such as '5 minutes ago' (long) or '5m ago' (narrow) in the app's language. */
export const relativeTimeFormat = (style: 'long' | 'narrow' = 'long'): Intl.RelativeTimeFormat =>
  getFormat(Intl.RelativeTimeFormat, appLocales(), { style })

/** Formats 12345 as '12,345'. */
export function formatCount(value: number): string {
  return numberFormat().format(value)
}

/** Formats 12 as '12%'. */
export function formatPercent(percent: number): string {
  return numberFormat({ style: 'percent' }).format(percent / 100)
}

/** Formats 130 seconds as '2:10' and 3725 as '1:02:05'. */
export function formatDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const padded = String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`
}

/** Formats 1234567 as '1.2 MB'. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  let value = bytes
  let index = 0
  for (; value >= 1024 && index < units.length - 1; index++) value /= 1024
  const maximumFractionDigits = value < 10 ? 1 : 0
  const unit = units[index] ?? 'byte'
  // In the short form, 'byte' has no plural.
  const unitDisplay = index === 0 ? 'long' : 'short'
  return numberFormat({ style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
}

/** Formats 1234 as '1.2K'. */
export function compactNumber(value: number): string {
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** Shows '$' even in regions where 'US$' is usual, because all amounts are in US dollars. */
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

/** Formats 5 as '$5', without cents. */
export function wholeDollars(amount: number): string {
  return numberFormat({ ...dollarOptions, maximumFractionDigits: 0 }).format(amount)
}

/** Matches '1250', '1,250', '1 250', '1,250.50' and '.5'. */
const amountWithDecimalPoint = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)?(?:\.\d{0,2})?$/
/** Matches '1250,50', '1.250,50' and '1 250,50'. */
const amountWithDecimalComma = /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?: \d{3})+),\d{1,2}$/

/**
 * Parses an amount that the user typed in the notation of any of the app's languages, such as '$1,250.50' or
 * '1.250,50 $'. A comma before three digits separates thousands; a single comma before one or two digits separates the
 * cents. Returns NaN for any other notation, so that no amount is misread. That includes '1.250', which may be meant as
 * 1,250.
 */
export function parseAmount(typed: string): number {
  const text = typed
    .replace(/\s/g, ' ')
    .replace(/^ *\$ *| *\$ *$/g, '')
    .trim()
  if (amountWithDecimalComma.test(text)) return Number(text.replace(/[. ]/g, '').replace(',', '.'))
  return /\d/.test(text) && amountWithDecimalPoint.test(text) ? Number(text.replace(/[, ]/g, '')) : Number.NaN
}
