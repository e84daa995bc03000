import { clientAddress } from '../http/client.ts'
import { networkOf } from '../http/network.ts'
import type { Client } from './provider.ts'

/** Characters of a browser's name that are kept. */
const longestName = 500

/** From where a call comes. What the browser says of itself loses everything that cannot be seen. */
export function clientOf(headers: Headers): Client {
  const name = (headers.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim()
  const address = clientAddress(headers)
  return {
    address,
    network: networkOf(address),
    userAgent: name === '' ? null : [...name].slice(0, longestName).join(''),
  }
}
