import { clientAddress } from '../http/client-address.ts'
import { networkPrefix } from '../http/network-prefix.ts'

/** The client that makes an API call. `network` is the part of the IP address that rate limits apply to. */
export type ClientInfo = { address: string; network: string; userAgent: string | null }

const maxUserAgentLength = 500

/** Returns the client that request headers describe. Shortens the user agent and removes its invisible characters. */
export function readClientInfo(headers: Headers): ClientInfo {
  const userAgent = (headers.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim()
  const address = clientAddress(headers)
  return {
    address,
    network: networkPrefix(address),
    userAgent: userAgent === '' ? null : [...userAgent].slice(0, maxUserAgentLength).join(''),
  }
}
