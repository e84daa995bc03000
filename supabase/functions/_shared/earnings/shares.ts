/**
 * What each amount is of all of them, in whole percent that make 100 together: what rounding leaves over goes to who lost
 * most by it. An amount below 0 has no share; where there is nothing, nobody has one.
 */
export function shares(amounts: readonly number[]): number[] {
  const parts = amounts.map((amount) => Math.max(0, amount))
  const total = parts.reduce((sum, part) => sum + part, 0)
  if (total === 0) return parts.map(() => 0)
  const exact = parts.map((part) => (part / total) * 100)
  const left = 100 - exact.reduce((sum, share) => sum + Math.floor(share), 0)
  const first = exact
    .map((share, at) => ({ at, lost: share - Math.floor(share) }))
    .sort((a, b) => b.lost - a.lost)
    .slice(0, left)
  return exact.map((share, at) => Math.floor(share) + (first.some((one) => one.at === at) ? 1 : 0))
}
