import { Box, chakra } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { Fragment, type RefObject, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Dialog } from '@/ui/Dialog'
import { isShortcut } from '@/ui/keyboard-shortcut'
import { openComposer } from './quick-dialogs'

const shortcuts = [
  ['/', msg`Search`],
  ['n', msg`New post`],
  ['j', msg`Next post`],
  ['k', msg`Previous post`],
  ['o Enter', msg`Open post`],
  ['l', msg`Like post`],
  ['s', msg`Save post`],
  ['t', msg`Repost or quote post`],
  ['r', msg`Comment on post`],
  ['Esc', msg`Close`],
  ['?', msg`Show keyboard shortcuts`],
] as const

const Key = chakra('kbd', {
  base: {
    display: 'inline-grid',
    placeItems: 'center',
    minWidth: '8',
    height: '8',
    paddingInline: '2',
    bg: 'sunken',
    borderWidth: '1px',
    borderRadius: 'sm',
    fontFamily: 'mono',
    fontSize: 'sm',
  },
})

/**
 * Handles the shortcuts that work on every screen: `/` searches, `n` opens the composer, `?` lists the shortcuts.
 * `PostList` handles `j` and `k`, and `usePostTarget` handles the keys for the focused post.
 */
export function KeyboardShortcuts({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      if (event.key === '/') {
        event.preventDefault()
        const field = searchRef.current
        // The header hides its search field on narrow screens.
        if (field?.offsetParent) field.focus()
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
  }, [searchRef, navigate])
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t`Keyboard shortcuts`}>
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns="auto 1fr"
        alignItems="center"
        gap="3"
        paddingBottom="4"
      >
        {shortcuts.map(([keys, description]) => (
          <Fragment key={keys}>
            <Box as="dt" display="flex" gap="2">
              {keys.split(' ').map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </Box>
            <dd>{t(description)}</dd>
          </Fragment>
        ))}
      </Box>
    </Dialog>
  )
}
