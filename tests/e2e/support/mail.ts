import { expect } from 'playwright/test'
import { readConnection } from '../../support/connection.ts'

/** Returns the first match of `pattern` in each mail to an address, newest first. */
export async function fetchMailMatches(email: string, pattern: RegExp): Promise<string[]> {
  const response = await fetch(readConnection().mailUrl, { headers: { accept: 'application/json' } })
  const mails = (await response.json()) as { to: string; text: string }[]
  return mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => {
      const match = pattern.exec(text)
      return match ? [match[0]] : []
    })
}

/** Waits for a mail to an address that matches `pattern`, and returns the newest match. */
export async function waitForMailMatch(email: string, pattern: RegExp): Promise<string> {
  let matches: string[] = []
  await expect
    .poll(async () => {
      matches = await fetchMailMatches(email, pattern)
      return matches.length
    })
    .toBeGreaterThan(0)
  return matches[0] ?? ''
}
