import { gzipSync } from 'node:zlib'

/** A smaller response fits into one packet anyway. */
const minBytes = 1000
/** Higher levels take longer and save almost nothing: levels 4 and 6 both compress a feed page to 29% of its size. */
const level = 4
/** Compressing this many bytes takes a few milliseconds. Larger responses are compressed as a stream. */
const maxSyncBytes = 256 * 1024

/**
 * The paths whose responses may be compressed, because they contain no secrets. The length of a compressed response
 * reveals whether it contains similar strings, so a response must not contain both a secret and text that somebody else
 * chose. See docs/decisions/047-sign-in-data-api-and-image-costs.md.
 */
const compressiblePaths = [
  /^\/api\/(posts|topics|discover|users|comments)(\/|$)/,
  /^\/api\/user\/(liked|saved)-posts$/,
  // The messages of one conversation, all of which both members can read.
  /^\/api\/messages\/[0-9a-f-]{36}$/,
  /^\/rest\/v1\/(posts|comments|profiles)$/,
]
/** The tables that a query to the Data API may embed if its response is to be compressed. */
const compressibleEmbeddings = ['posts', 'comments', 'profiles', 'profile_counts', 'likes', 'post_tags']

/** Compresses a JSON response without secrets, if the client accepts gzip and the response is large enough. */
export async function compressJson(request: Request, path: string, response: Response): Promise<Response> {
  if (!isCompressible(request, path, response)) return response
  const headers = new Headers(response.headers)
  headers.append('vary', 'Accept-Encoding')
  const { status } = response
  if (!acceptsEncoding(request, 'gzip')) return new Response(response.body, { status, headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length < minBytes) return new Response(bytes, { status, headers })
  headers.delete('content-length')
  headers.set('content-encoding', 'gzip')
  const body =
    bytes.length > maxSyncBytes
      ? new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
      : new Uint8Array(gzipSync(bytes, { level }))
  return new Response(body, { status, headers })
}

function isCompressible(request: Request, path: string, { status, headers, body }: Response): boolean {
  if (request.method !== 'GET' || body === null || status < 200 || status > 206) return false
  if (!/^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '')) return false
  // A file to download may be a stream, and an ETag would have to differ for each encoding.
  const excluded = ['content-encoding', 'content-disposition', 'etag']
  if (excluded.some((name) => headers.has(name))) return false
  if (!compressiblePaths.some((pattern) => pattern.test(path))) return false
  return (
    !path.startsWith('/rest/') || embeddings(request).every((name) => compressibleEmbeddings.includes(name))
  )
}

/**
 * Returns what a query embeds: the names of tables, or of columns that refer to them. For `author:profiles!key(*)`,
 * this is `profiles`.
 */
function embeddings(request: Request): string[] {
  const select = new URL(request.url).searchParams.getAll('select').join(',')
  return [...select.matchAll(/([^,(:.]*)\(/g)].map(([, target = '']) => target.split('!')[0]?.trim() ?? '')
}

/** Returns whether a client accepts an encoding (RFC 9110, section 12.5.3). */
export function acceptsEncoding(request: Request, encoding: string): boolean {
  const offers = new Map<string, number>()
  for (const offer of (request.headers.get('accept-encoding') ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = offer.trim().split(';')
    const quality = parameters
      .map((parameter) => parameter.trim())
      .find((parameter) => parameter.startsWith('q='))
    if (name) offers.set(name, quality ? Number(quality.slice(2)) : 1)
  }
  return (offers.get(encoding) ?? offers.get('*') ?? 0) > 0
}
