import { PremiumPrice } from '@contract/post.ts'

/** US dollars out of what was typed, with a point or a comma before the cents; null when it is no number. */
export function parsePrice(typed: string): number | null {
  const text = typed.trim().replace(/^\$/, '').replace(',', '.')
  return /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : null
}

/** What is wrong with a price for a premium post; undefined when nothing is. */
export function priceProblem(typed: string): string | undefined {
  return PremiumPrice.safeParse(parsePrice(typed)).error?.issues[0]?.message
}
