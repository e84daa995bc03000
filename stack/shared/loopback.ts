/** Returns whether a host name or IP address is a loopback address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/**
 * Returns whether the Host header of a request contains a loopback address. Protects against DNS rebinding: if a
 * website points its own host name to 127.0.0.1, browsers send that name in the header.
 */
export function hasLoopbackHost(request: Request): boolean {
  return isLoopbackHost(request.headers.get('host'))
}

/** Returns whether the value of a Host header, which may include a port, is a loopback address. */
export function isLoopbackHost(host: string | null): boolean {
  const url = host ? URL.parse(`http://${host}`) : null
  return url !== null && isLoopback(url.hostname)
}

/** Returns the URL of a server. Puts IPv6 addresses in brackets and replaces wildcard addresses with loopback. */
export function httpUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '::1' : host
  const bare = reachable.replace(/^\[|\]$/g, '')
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`
}
