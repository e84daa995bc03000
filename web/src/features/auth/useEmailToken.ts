import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'

const Kept = z.object({ mailToken: z.string() })

export interface EmailToken {
  /** What the link of a mail that led here carries; null where it carries nothing. It stays the same while the screen is open. */
  token: string | null
  /** Takes it out of the browser's history, once it is of no more use. */
  forget: () => void
}

/**
 * The token is taken out of the address at once, so that it is in no Referer, bookmark or copied address; the
 * history's entry keeps it, so that loading the page again works.
 */
export function useEmailToken(): EmailToken {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const inAddress = new URLSearchParams(search).get('token')
  const [token] = useState(() => inAddress || (Kept.safeParse(state).data?.mailToken ?? null))
  useEffect(() => {
    if (inAddress !== null) navigate(pathname, { replace: true, state: token ? { mailToken: token } : null })
  }, [inAddress, navigate, pathname, token])
  return { token, forget: () => void navigate(pathname, { replace: true, state: null }) }
}
