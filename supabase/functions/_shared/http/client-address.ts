import { env } from '../env.ts'

/**
 * Returns the client's IP address as far as the configured proxies can be trusted to report it, otherwise `unknown`.
 * Rate limits count by its `networkPrefix`.
 */
export function clientAddress(headers: Headers): string {
  if (env.trustProxy === 0) return 'unknown'
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-Math.min(env.trustProxy, hops.length || 1)) ?? 'unknown'
}
