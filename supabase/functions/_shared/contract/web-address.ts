import { z } from 'zod'
import { limits } from './limits.ts'
import { parseUrl } from './parse-url.ts'

/** Parses a URL that a user typed, adding https if it has no scheme. Returns null if it is not a web address. */
function parseAddress(text: string): URL | null {
  const typed = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d+(\/|$)/.test(text) ? text : `https://${text}`
  const url = parseUrl(typed)
  if (!url || /\s/.test(text)) return null
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // A URL with credentials must not be shown, and a host without a top-level domain is not on the web.
  return isWeb && url.username === '' && url.password === '' && /\.[a-z][a-z0-9-]+\.?$/i.test(url.hostname)
    ? url
    : null
}

/** Accepts a web address and normalizes it as browsers do. `message` is the error for anything else. */
export const webAddress = (message: string, isAllowed: (url: URL) => boolean = () => true) =>
  z
    .string(message)
    .trim()
    .transform((text, context) => {
      const url = parseAddress(text)
      const href = url?.href ?? ''
      if (url && isAllowed(url) && href.length <= limits.webAddress.max && !/[<>"]/.test(href)) return href
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
