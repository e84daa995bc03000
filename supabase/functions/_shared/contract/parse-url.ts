/** Parses a URL. Returns null if the text is not a URL, like `URL.parse`, which Safari 16 lacks. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
