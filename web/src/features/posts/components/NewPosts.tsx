import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { Spinner } from '@/ui/Spinner'
import { newPostsText, useNewCount, useShowNewest } from '../api/newCount'
import { focusPost } from './focusPost'

/**
 * Says that there are new posts, and shows them when asked to: nothing moves under the reader's eyes. Hangs in the gap
 * above the list, then below the header.
 */
export function NewPosts() {
  const count = useNewCount()
  const newest = useShowNewest()
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
      top="calc({sizes.header} + {spacing.7})"
      zIndex="raised"
      height="0"
      marginBottom={{ base: '-2', md: '-4' }}
    >
      <VisuallyHidden role="status" aria-live="polite">
        {count > 0 && words}
      </VisuallyHidden>
      {count > 0 && (
        <Box
          position="absolute"
          top={{ base: '-1', md: '-2' }}
          insetInline="0"
          display="flex"
          justifyContent="center"
          transform="translateY(-50%)"
          pointerEvents="none"
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
