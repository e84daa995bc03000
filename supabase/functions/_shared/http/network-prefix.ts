/**
 * Returns the network to which rate limits apply for an IP address: an IPv4 address itself, or the first 64 bits of an
 * IPv6 address, because a client with one address in a /64 usually controls the whole /64.
 */
export function networkPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  // Some proxies add the client's port.
  const [ipv4] = /^\d+\.\d+\.\d+\.\d+(?=:\d+$)/.exec(address) ?? []
  if (ipv4) return ipv4
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
