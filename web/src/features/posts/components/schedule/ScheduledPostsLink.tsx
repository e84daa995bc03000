import { Box } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ClockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { scheduledPostsQuery } from '../../api/scheduled-posts'
import { dayAndTime } from '../../model'
import { useScheduledPostsRealtime } from '../../realtime'

/** Shows on the user's own profile how many posts are scheduled, with a link to them. Hidden if there are none. */
export function ScheduledPostsLink({ userId }: { userId: string }) {
  const { data: posts = [] } = useQuery(scheduledPostsQuery)
  useScheduledPostsRealtime(userId)
  if (posts.length === 0) return null
  const next = posts.find(({ failure }) => failure === null)
  const failedCount = posts.filter(({ failure }) => failure !== null).length
  const time = next ? dayAndTime(next.publishAt) : ''
  return (
    <Card
      as="section"
      aria-label={t`Scheduled posts`}
      display="flex"
      alignItems="center"
      gap="3"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3"
    >
      <Box fontSize="xl" color="muted">
        <ClockIcon />
      </Box>
      <Box flex="1" minWidth="0">
        <Box textStyle="label">
          {plural(posts.length, { one: '# scheduled post', other: '# scheduled posts' })}
        </Box>
        <Box textStyle="small" color={failedCount > 0 ? 'danger.text' : 'muted'} truncate>
          {failedCount > 0
            ? plural(failedCount, { one: '# couldn’t be published', other: '# couldn’t be published' })
            : t`Next: ${time}`}
        </Box>
      </Box>
      <ButtonLink to={paths.scheduled.getHref()} size="sm" variant="outline">
        {t({ message: 'View', context: 'verb' })}
      </ButtonLink>
    </Card>
  )
}
