import { env } from '../env.ts'

/**
 * The client's address as far as the proxies in front can be trusted to say it; `unknown` otherwise. Limits count
 * by `networkOf` it.
 */
export function clientAddress(headers: Headers): string {
  if (env.trustProxy === 0) return 'unknown'
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-Math.min(env.trustProxy, hops.length || 1)) ?? 'unknown'
}
