import { PremiumPrice } from '@contract/post.ts'
import { parseAmount } from '@/lib/parse-amount'

/** What is wrong with a price for a premium post; undefined when nothing is. */
export function validatePrice(typed: string): string | undefined {
  return PremiumPrice.safeParse(parseAmount(typed)).error?.issues[0]?.message
}
