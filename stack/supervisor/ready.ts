import { messageOf, Sentence } from '../shared/sentence.ts'
import type { Addresses } from './parts.ts'

/** How long the parts may take to answer after they were started, in milliseconds. */
const patience = 90_000

/**
 * Waits until the platform answers that it is well.
 *
 * @param stopped whether the stack is being stopped meanwhile; then nobody waits any longer
 */
export async function waitUntilReady(addresses: Addresses, stopped: () => boolean): Promise<void> {
  const until = Date.now() + patience
  let last = 'no answer'
  while (Date.now() < until && !stopped()) {
    try {
      const answer = await fetch(`${addresses.gateway}/api/health`, { signal: AbortSignal.timeout(5000) })
      const text = await answer.text()
      if (answer.ok) return
      last = text.slice(0, 300)
    } catch (error) {
      last = messageOf(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  if (!stopped()) throw new Sentence(`Ovation did not become ready: ${last}`)
}
