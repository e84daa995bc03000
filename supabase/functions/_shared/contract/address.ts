import { z } from 'zod'
import { limits } from './limits.ts'

/** An address as people type it: without a scheme it is one of https. Null when it is none. */
function parseAddress(text: string): URL | null {
  const typed = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d+(\/|$)/.test(text) ? text : `https://${text}`
  if (!URL.canParse(typed) || /\s/.test(text)) return null
  const url = new URL(typed)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // An address with a password in it is none to be shown; a host without a dot is none of the web.
  return isWeb && url.username === '' && url.password === '' && /\.[a-z][a-z0-9-]+\.?$/i.test(url.hostname)
    ? url
    : null
}

/** An address of the web, written as browsers write it; `message` says what is wrong with any other. */
export const webAddress = (message: string, fits: (url: URL) => boolean = () => true) =>
  z
    .string(message)
    .trim()
    .transform((text, context) => {
      const url = parseAddress(text)
      const written = url?.href ?? ''
      if (url && fits(url) && written.length <= limits.webAddress.max && !/[<>"]/.test(written))
        return written
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
