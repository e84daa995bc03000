import { Box } from '@chakra-ui/react'
import { Button } from './Button'
import { InlineError } from './states'

/** The end of a list that comes in parts: asks for the next one, or says that it did not come. */
export function ShowMoreButton({
  list,
}: {
  /** Of `useInfiniteQuery`. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}) {
  const more = () => void list.fetchNextPage()
  if (list.isFetchNextPageError) return <InlineError text="The rest did not load." onRetry={more} />
  if (!list.hasNextPage) return null
  return (
    <Box padding="3" borderTopWidth="1px">
      <Button variant="ghost" width="100%" pending={list.isFetchingNextPage} onClick={more}>
        Show more
      </Button>
    </Box>
  )
}
