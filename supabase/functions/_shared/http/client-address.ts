import { env } from '../env.ts'

/**
 * Returns the client's IP address as the trusted proxies report it, or `unknown` if none does. Rate limits count
 * requests by the `networkPrefix` of this address.
 */
export function clientAddress(headers: Headers): string {
  if (env.trustProxy === 0) return 'unknown'
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-Math.min(env.trustProxy, hops.length || 1)) ?? 'unknown'
}
