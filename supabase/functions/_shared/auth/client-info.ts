import { clientAddress } from '../http/client-address.ts'
import { networkPrefix } from '../http/network-prefix.ts'

/** Where an API call comes from. `network` is the part of the address that rate limits count by. */
export type ClientInfo = { address: string; network: string; userAgent: string | null }

const maxUserAgentLength = 500

/** Reads the client from the request headers. Invisible characters are removed from the user agent. */
export function readClientInfo(headers: Headers): ClientInfo {
  const userAgent = (headers.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim()
  const address = clientAddress(headers)
  return {
    address,
    network: networkPrefix(address),
    userAgent: userAgent === '' ? null : [...userAgent].slice(0, maxUserAgentLength).join(''),
  }
}
