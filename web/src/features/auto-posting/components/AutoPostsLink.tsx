import { Box } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { TextLink } from '@/ui/layout'
import { autoPostingStatusQuery, draftsQuery } from '../api'

/** The way to one's auto-posts, where there is something to see: it is switched on, or there are drafts. */
export function AutoPostsLink() {
  const { data: state } = useQuery(autoPostingStatusQuery)
  const { data: drafts } = useInfiniteQuery(draftsQuery)
  const items = drafts?.pages.flatMap((page) => page.items) ?? []
  const waiting = items.filter((draft) => draft.state === 'waiting').length
  if (!state?.enabled && items.length === 0) return null
  return (
    <Box textStyle="small">
      <TextLink to={paths.autoPosts.getHref()} underlined>
        Your auto-posts
      </TextLink>
      {waiting > 0 && ` · ${waiting} ${waiting === 1 ? 'draft waits' : 'drafts wait'} for you`}
    </Box>
  )
}
