/** '1250', '1,250', '1,250.50', '.5'; or, behind one comma, cents: '1250,50'. */
const withPoint = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d{0,2})?$/
const withCommaForCents = /^\d+,\d{1,2}$/

/**
 * What somebody typed as an amount, such as '$1,250.50' or '9,99'. Groups of three behind commas are thousands, one or
 * two digits behind a single comma are cents. NaN for anything else, so that no amount is taken for another one: also
 * for parts of cents, where three digits behind a point may be meant as thousands.
 */
export function parseAmount(typed: string): number {
  const text = typed.trim().replace(/^\$\s*/, '')
  if (withCommaForCents.test(text)) return Number(text.replace(',', '.'))
  return /\d/.test(text) && withPoint.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}
