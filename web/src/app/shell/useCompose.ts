import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@/paths'
import { composerId } from '@/ui/composer'

/** Goes to the composer: to the home feed first, where another screen is open. */
export function useCompose(): () => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return useCallback(() => {
    if (pathname !== paths.home.path) navigate(paths.home.getHref())
    focusWhenThere(20)
  }, [navigate, pathname])
}

/** The feed's code may still be on its way: looks for the composer for two seconds at most. */
function focusWhenThere(tries: number) {
  const composer = document.getElementById(composerId)
  if (composer) {
    window.scrollTo({ top: 0 })
    composer.focus()
  } else if (tries > 0) {
    setTimeout(() => focusWhenThere(tries - 1), 100)
  }
}
