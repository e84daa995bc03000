/**
 * Each amount's share of all in whole percent. They add up to 100: what rounding down leaves goes to those that lost
 * most by it, of two alike to the one that stands first. An amount of 0 or less has no share; without any above 0 all
 * are 0.
 */
export function shares(amounts: readonly number[]): number[] {
  const counted = amounts.map((amount) => Math.max(0, amount))
  const total = counted.reduce((sum, amount) => sum + amount, 0)
  if (total === 0) return counted.map(() => 0)
  const exact = counted.map((amount) => (amount * 100) / total)
  const whole = exact.map(Math.floor)
  const missing = 100 - whole.reduce((sum, share) => sum + share, 0)
  const lost = (at: number) => (exact[at] ?? 0) - (whole[at] ?? 0)
  const winners = exact
    .map((_, at) => at)
    .sort((a, b) => lost(b) - lost(a) || a - b)
    .slice(0, missing)
  return whole.map((share, at) => (winners.includes(at) ? share + 1 : share))
}
