/** A mail as it is handed over: to one address, with its page and the same as plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** The mail in a request's body, null when it is none. */
export function readMail(value: unknown): Mail | null {
  if (typeof value !== 'object' || value === null) return null
  const { to, subject, text, html }: Partial<Record<keyof Mail, unknown>> = value
  if (typeof to !== 'string' || typeof subject !== 'string') return null
  if (typeof text !== 'string' || typeof html !== 'string') return null
  return { to, subject, text, html }
}
