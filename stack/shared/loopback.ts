/** Whether a host name or address means this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/**
 * Whether a request names this machine in its Host header. A page of another site that had its own name
 * point to 127.0.0.1 sends that name here, and is refused.
 */
export function namesLoopback(request: Request): boolean {
  const host = request.headers.get('host')
  if (!host) return false
  try {
    return isLoopback(new URL(`http://${host}`).hostname)
  } catch {
    return false
  }
}

/** Compares secrets without telling by the time it takes how much of a guess was right. */
export function sameSecret(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left)
  const b = new TextEncoder().encode(right)
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index % b.length] ?? 0)
  return difference === 0
}

/** An address for `fetch` and for people, with IPv6 in brackets and "any" addresses as loopback. */
export function httpAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '::1' : host
  const bare = reachable.replace(/^\[|\]$/g, '')
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`
}
