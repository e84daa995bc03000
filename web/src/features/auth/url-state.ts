import { safeReturnPath } from '@contract/return-path.ts'
import { useSearchParams } from 'react-router-dom'

/** Where somebody wants to be once signed in, as the address says in `next`; only within this site. */
export interface ReturnPath {
  /** The home page where the address names nothing, or nothing safe. */
  path: string
  /** Lets a link to another of the auth screens carry it along. */
  keep: (href: string) => string
}

export function useReturnPath(): ReturnPath {
  const [search] = useSearchParams()
  const next = safeReturnPath(search.get('next'))
  return {
    path: next ?? '/',
    keep: (href) => (next ? `${href}?next=${encodeURIComponent(next)}` : href),
  }
}
