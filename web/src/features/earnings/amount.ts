/** What somebody typed as an amount, such as '$1,250.50'; NaN where it is none, or has less than whole cents. */
export function parseAmount(text: string): number {
  const plain = text.replace(/[\s,]/g, '').replace(/^\$/, '')
  return /^\d+(\.\d{0,2})?$/.test(plain) ? Number(plain) : Number.NaN
}
