import { useLocation } from 'react-router-dom'
import { isListed } from '@/lib/screens'

/** Tells search engines to leave a screen alone, where the host that serves the page does not say so itself. */
export function NoIndexTag() {
  const { pathname } = useLocation()
  return isListed(pathname) ? null : <meta name="robots" content="noindex" />
}
