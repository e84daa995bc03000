import { brotliCompressSync, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** A file as it travels: as it is, and compressed where that made it smaller. */
export type Bytes = { identity: Uint8Array<ArrayBuffer> } & Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>

/** `web/index.html` for the landing page and for every other screen. */
export interface Pages {
  home: Bytes
  other: Bytes
}

/**
 * Finishes the built page. What previews of links need must be a whole address, and a build does not know where
 * it will stand: addresses without a host get this one. Other screens do not call themselves the landing page.
 *
 * @param built UTF-8
 * @param origin e.g. `https://ovation.example`
 */
export function makePages(built: Uint8Array, origin: string): Pages {
  const html = new TextDecoder().decode(built)
  const home = html.replace(
    /(<meta property="og:(?:url|image)" content=")(\/[^"]*")/g,
    (_, before: string, after: string) => `${before}${origin}${after}`,
  )
  const other = home.replace(/\s*<meta property="og:url"[^>]*>/, '')
  return { home: compress(home), other: compress(other) }
}

function compress(text: string): Bytes {
  const identity = new TextEncoder().encode(text)
  return {
    identity,
    br: new Uint8Array(brotliCompressSync(identity)),
    gzip: new Uint8Array(gzipSync(identity)),
  }
}
