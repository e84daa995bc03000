const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats 1234 as '1.2K'. */
export function compactNumber(value: number): string {
  return compactFormat.format(value)
}

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats 12.5 as '$12.50', 1234 as '$1,234.00' and -5 as '-$5.00'. */
export function dollars(amount: number): string {
  // `|| 0` turns -0 into 0, which would be formatted as '-$0.00'.
  return dollarFormat.format(Math.round(amount * 100) / 100 || 0)
}

const compactDollarFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** Formats 4523 as '$4.5K', for chart axes and narrow columns. */
export function shortDollars(amount: number): string {
  return compactDollarFormat.format(amount || 0)
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
