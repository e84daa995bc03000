import { Box, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { compactNumber } from '@/lib/format'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Button } from '@/ui/Button'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { statsQuery } from '../api/people'

const Figures = chakra('dl', { base: { display: 'grid', gridTemplateColumns: 'repeat(3, 1fr)', gap: '2' } })

/** For creators, beside the feed: their figures as they stand; nothing for others. */
export function YourAnalytics() {
  const { user } = useCurrentUser()
  if (!user?.isCreator) return null
  return (
    <Card as="section" aria-labelledby="your-analytics" padding="4">
      <Box as="h2" id="your-analytics" textStyle="title" marginBottom="3">
        Your Analytics
      </Box>
      <Stats userId={user.id} />
      <TextLink to={paths.analytics.getHref()} display="inline-block" textStyle="small" marginTop="3">
        View Analytics
      </TextLink>
    </Card>
  )
}

function Stats({ userId }: { userId: string }) {
  const { data: stats, isError, refetch } = useQuery(statsQuery(userId))
  if (stats) {
    const figures = [
      ['Posts', stats.posts],
      ['Followers', stats.followers],
      ['Subscribers', stats.subscribers],
    ] as const
    return (
      <Figures>
        {figures.map(([name, count]) => (
          <Box key={name} display="flex" flexDirection="column-reverse" minWidth="0">
            <Box as="dt" textStyle="small" color="muted">
              {name}
            </Box>
            <Box as="dd" textStyle="heading" fontVariantNumeric="tabular-nums">
              {compactNumber(count ?? 0)}
            </Box>
          </Box>
        ))}
      </Figures>
    )
  }
  if (isError) {
    return (
      <Box role="alert" textStyle="small" color="muted">
        The counts did not load.{' '}
        <Button variant="link" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </Box>
    )
  }
  return (
    <Loading label="Loading your figures">
      <Figures as="div">
        {['first', 'second', 'third'].map((one) => (
          <div key={one}>
            <Skeleton height="7" width="60%" />
            <Skeleton height="3" width="80%" marginTop="2" />
          </div>
        ))}
      </Figures>
    </Loading>
  )
}
