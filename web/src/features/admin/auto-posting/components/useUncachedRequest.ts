import { useState } from 'react'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { showError } from '../../show-error'

/**
 * A call with a secret in its words or its answer: unlike a mutation, it leaves neither in any cache. Calls do not overlap.
 *
 * @param fallback what is said where it fails and the server says nothing
 */
export function useUncachedRequest<Args extends unknown[], Answer>(
  call: (...args: Args) => Promise<Answer>,
  fallback: string,
) {
  const [isPending, setPending] = useState(false)
  const run = async (onAnswer: (answer: Answer) => void, ...args: Args) => {
    if (isPending) return
    setPending(true)
    try {
      onAnswer(await call(...args))
    } catch (error) {
      redirectIfUnauthorized(error)
      showError(error, fallback)
    } finally {
      setPending(false)
    }
  }
  return { run, isPending }
}
