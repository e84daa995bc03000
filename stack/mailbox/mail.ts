/** An email to one address, as HTML and as plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

export interface StoredMail extends Mail {
  id: string
  /** ISO 8601, UTC. */
  sentAt: string
}

/** Returns the email in a request body, or null if the body is not an email. */
export function parseMail(value: unknown): Mail | null {
  if (typeof value !== 'object' || value === null) return null
  const { to, subject, text, html, headers }: Partial<Record<keyof Mail, unknown>> = value
  if (typeof to !== 'string' || typeof subject !== 'string') return null
  if (typeof text !== 'string' || typeof html !== 'string') return null
  if (headers === undefined) return { to, subject, text, html }
  if (typeof headers !== 'object' || headers === null) return null
  const entries = Object.entries(headers).filter(([, content]) => typeof content === 'string')
  if (entries.length < Object.keys(headers).length) return null
  return { to, subject, text, html, headers: Object.fromEntries(entries) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Returns the plain text of an email's HTML: an empty line between any two lines, and links as "label: URL". */
export function htmlToText(html: string): string {
  return html
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, (_, href: string, label: string) => {
      const text = label.replace(/<[^>]*>/g, '').trim()
      return text === '' || text === href ? href : `${text}: ${href}`
    })
    .replace(/<br\s*\/?>|<\/(p|div|h[1-6]|li|tr)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}
