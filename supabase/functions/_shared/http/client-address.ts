import { isIP } from 'node:net'
import type { SeenClientAddress } from '../contract/admin.ts'
import { env } from '../env.ts'
import { equalsInConstantTime } from './constant-time.ts'

/** A trusted proxy sends PROXY_SECRET in this header, to prove that it has set the client's address. */
const proxySecretHeader = 'x-proxy-secret'

/**
 * Returns the client's IP address as the trusted proxies report it, or `unknown` if none does. Rate limits count
 * requests by the `networkPrefix` of this address.
 */
export const clientAddress = (headers: Headers): string => findClientAddress(headers).address

/** Returns the client's IP address and where it was found. */
export function findClientAddress(headers: Headers): Pick<SeenClientAddress, 'address' | 'source'> {
  const secret = headers.get(proxySecretHeader)
  if (env.proxySecret && secret && equalsInConstantTime(secret, env.proxySecret)) {
    const address = headers.get(env.clientAddressHeader)?.trim() ?? ''
    if (isIP(address)) return { address, source: 'proxy' }
  }
  // If PROXY_SECRET is set, this request may have bypassed the proxy and contain forged hops, so at most its last hop
  // is trusted.
  const position = env.proxySecret ? Math.min(env.trustProxy, 1) : env.trustProxy
  const hops = forwardedHops(headers)
  const address = position === 0 ? undefined : hops.at(-Math.min(position, hops.length || 1))
  return address === undefined ? { address: 'unknown', source: 'none' } : { address, source: 'forwarded' }
}

/** Returns the addresses in `X-Forwarded-For`. A client can send any addresses; each proxy appends one. */
export const forwardedHops = (headers: Headers): string[] =>
  (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
