import { expect } from 'playwright/test'
import { readConnection } from '../../support/connection.ts'

/** Returns the first match of `pattern` in each email to an address, newest first. */
export async function fetchMailMatches(email: string, pattern: RegExp): Promise<string[]> {
  const response = await fetch(readConnection().mailUrl, { headers: { accept: 'application/json' } })
  const emails = (await response.json()) as { to: string; text: string }[]
  return emails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => {
      const match = pattern.exec(text)
      return match ? [match[0]] : []
    })
}

/** Waits until an address has received an email that matches `pattern`, and returns the newest match. */
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
