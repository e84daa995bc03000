import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { TextLink } from '@/ui/layout'
import { autoPostingStatusQuery, draftsQuery } from '../api'

/** Shows a link to the viewer's auto-posts if auto-posting is on for them or they have drafts. */
export function AutoPostsLink() {
  const { data: state } = useQuery(autoPostingStatusQuery)
  const { data } = useInfiniteQuery(draftsQuery)
  const drafts = data?.pages.flatMap((page) => page.items) ?? []
  const waitingCount = drafts.filter((draft) => draft.state === 'waiting').length
  if (!state?.enabled && drafts.length === 0) return null
  return (
    <Box textStyle="small">
      <TextLink to={paths.autoPosts.getHref()} underlined>
        {t`Your auto-posts`}
      </TextLink>
      {waitingCount > 0 && (
        <>
          {' · '}
          <Plural value={waitingCount} one="# draft to review" other="# drafts to review" />
        </>
      )}
    </Box>
  )
}
