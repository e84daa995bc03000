/**
 * Returns each amount's share of the total in whole percent, adding up to 100. The points lost by rounding down go to
 * the shares with the largest remainders. A negative amount has a share of 0. If no amount is positive, every share is
 * 0.
 */
export function wholePercentages(amounts: readonly number[]): number[] {
  const parts = amounts.map((amount) => Math.max(0, amount))
  const total = parts.reduce((sum, part) => sum + part, 0)
  if (total === 0) return parts.map(() => 0)
  const exact = parts.map((part) => (part / total) * 100)
  const pointsLeft = 100 - exact.reduce((sum, share) => sum + Math.floor(share), 0)
  const roundedUp = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder)
    .slice(0, pointsLeft)
    .map(({ index }) => index)
  return exact.map((share, index) => Math.floor(share) + (roundedUp.includes(index) ? 1 : 0))
}
