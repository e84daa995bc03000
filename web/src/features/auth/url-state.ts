import { safeReturnPath } from '@contract/return-path.ts'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { z } from 'zod'

/** The page to open after signing in, from the URL parameter `next`. It is always a path on this site. */
interface ReturnPath {
  /** The home page if `next` is missing or unsafe. */
  path: string
  /** Adds `next` to a link to another auth page. */
  withReturnPath: (href: string) => string
}

export function useReturnPath(): ReturnPath {
  const [search] = useSearchParams()
  const next = safeReturnPath(search.get('next'))
  return {
    path: next ?? '/',
    withReturnPath: (href) => (next ? `${href}?next=${encodeURIComponent(next)}` : href),
  }
}

const SignInState = z.object({ email: z.string(), isNewAccount: z.boolean().optional() })

/** Returns the email address to fill in and whether it belongs to a new account, from the navigation state. */
export function useSignInState(): { email: string; isNewAccount: boolean } {
  const { state } = useLocation()
  const { email = '', isNewAccount = false } = SignInState.safeParse(state).data ?? {}
  return { email, isNewAccount }
}

const EmailTokenState = z.object({ mailToken: z.string() })

interface EmailToken {
  /** The token from the emailed link, or null if there is none. It does not change while the page is open. */
  token: string | null
  /** Removes the token from the browser history. Call it when the token can no longer be used. */
  clearToken: () => void
}

/**
 * Reads the token of an emailed link. Removes it from the URL immediately, so that it does not leak through Referer
 * headers, bookmarks or copied URLs. The state of the history entry still contains the token, so that a reload works.
 */
export function useEmailToken(): EmailToken {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const urlToken = new URLSearchParams(search).get('token')
  const [token] = useState(() => urlToken || (EmailTokenState.safeParse(state).data?.mailToken ?? null))
  useEffect(() => {
    if (urlToken !== null) navigate(pathname, { replace: true, state: token ? { mailToken: token } : null })
  }, [urlToken, navigate, pathname, token])
  return { token, clearToken: () => void navigate(pathname, { replace: true, state: null }) }
}
