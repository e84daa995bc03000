import { Box } from '@chakra-ui/react'
import { useLayoutEffect, useState } from 'react'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { Spinner } from '@/ui/Spinner'
import { newPostsText, useNewPostCount, useShowNewPosts } from '../api/new-posts'
import { focusPost } from './focus-post'

/**
 * Says that there are new posts, and shows them when asked to: nothing moves under the reader's eyes. Hangs in the gap
 * above the list, then below the header; on a phone, where the gap is narrower than the button, it gets a row.
 */
export function NewPostsButton() {
  const count = useNewPostCount()
  const hasRow = useRow(count > 0)
  const newest = useShowNewPosts()
  const words = newPostsText(count)
  const show = () => {
    if (newest.isPending) return
    newest.mutate(undefined, {
      onSuccess: ({ items }) => {
        window.scrollTo({ top: 0, behavior: 'instant' })
        if (items[0]) focusPost(items[0].id)
      },
    })
  }
  return (
    <Box
      position="sticky"
      top={{
        base: `calc({sizes.header} + {spacing.${hasRow ? 2 : 7}})`,
        md: 'calc({sizes.header} + {spacing.7})',
      }}
      zIndex="raised"
      height={{ base: hasRow ? 'auto' : '0', md: '0' }}
      marginBottom={{ base: hasRow ? '0' : '-2', md: '-4' }}
      pointerEvents="none"
    >
      <VisuallyHidden role="status" aria-live="polite">
        {count > 0 && words}
      </VisuallyHidden>
      {count > 0 && (
        <Box
          position={{ base: hasRow ? 'static' : 'absolute', md: 'absolute' }}
          top={{ base: '-1', md: '-2' }}
          insetInline="0"
          display="flex"
          justifyContent="center"
          transform={{ base: hasRow ? 'none' : 'translateY(-50%)', md: 'translateY(-50%)' }}
        >
          <Button
            variant="ember"
            size="sm"
            boxShadow="mid"
            pointerEvents="auto"
            aria-busy={newest.isPending || undefined}
            animation="appear {durations.slow} {easings.out}"
            onClick={show}
          >
            {newest.isPending && <Spinner />}
            Show {words}
          </Button>
        </Box>
      )}
    </Box>
  )
}

/** Whether there is a row for what is `shown`: from when the page stands at its top, where nobody's place moves. */
function useRow(shown: boolean): boolean {
  const [hasRow, setHasRow] = useState(false)
  useLayoutEffect(() => {
    if (!shown) return setHasRow(false)
    const look = () => {
      if (window.scrollY === 0) setHasRow(true)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [shown])
  return hasRow
}
