/** Parses a URL. Like `URL.parse`, which Safari 16 lacks, it returns null if the text is not a URL. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
