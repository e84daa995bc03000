import { useLocation } from 'react-router-dom'
import { z } from 'zod'

const Handed = z.object({ email: z.string() })

/** The address of an account that the link which led here hands over in its state, `{ email }`; else empty. */
export function usePrefilledEmail(): string {
  const { state } = useLocation()
  return Handed.safeParse(state).data?.email ?? ''
}
