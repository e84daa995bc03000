/**
 * Returns each amount as a whole percentage of the total. The percentages add up to 100: the points lost by rounding
 * down go to those with the largest remainders. A negative amount counts as 0. If no amount is positive, all
 * percentages are 0.
 */
export function wholePercentages(amounts: readonly number[]): number[] {
  const parts = amounts.map((amount) => Math.max(0, amount))
  const total = parts.reduce((sum, part) => sum + part, 0)
  if (total === 0) return parts.map(() => 0)
  const exact = parts.map((part) => (part / total) * 100)
  const pointsLeft = 100 - exact.reduce((sum, percentage) => sum + Math.floor(percentage), 0)
  const roundedUp = exact
    .map((percentage, index) => ({ index, remainder: percentage - Math.floor(percentage) }))
    .sort((a, b) => b.remainder - a.remainder)
    .slice(0, pointsLeft)
    .map(({ index }) => index)
  return exact.map((percentage, index) => Math.floor(percentage) + (roundedUp.includes(index) ? 1 : 0))
}
