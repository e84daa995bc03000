import { type RefObject, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { isShortcut } from '@/ui/keyboard-shortcut'
import { openComposer } from './quick-dialogs'

/** The keys that work on every screen: `/` searches, `n` composes, `?` shows the keys. */
export function useKeyboardShortcuts(search: RefObject<HTMLInputElement | null>) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      if (event.key === '/') {
        event.preventDefault()
        // The header's box is not there on narrow screens.
        if (search.current?.offsetParent) search.current.focus()
        else navigate(paths.search.getHref())
      } else if (event.key === 'n') {
        event.preventDefault()
        openComposer()
      } else if (event.key === '?') {
        setOpen(true)
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [search, navigate])
  return { open, close: () => setOpen(false) }
}
