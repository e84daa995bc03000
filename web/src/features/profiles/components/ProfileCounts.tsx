import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { compactNumber } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { statsQuery } from '../api/people'

/** Posts, followers, following, and a creator's subscribers; what the person hides is left out. */
export function ProfileCounts({ user, own }: { user: User; own: boolean }) {
  const {
    data: stats,
    isPending,
    isError,
    refetch,
  } = useQuery({ ...statsQuery(user.id), enabled: own || user.canView })
  if (!own && !user.canView) return null
  if (isPending) return <Skeleton height="6" width="16rem" maxWidth="100%" marginTop="3" />
  if (isError && !stats) {
    return (
      <Box
        role="alert"
        display="flex"
        alignItems="center"
        gap="2"
        marginTop="3"
        textStyle="small"
        color="muted"
      >
        The counts did not load.
        <Button variant="link" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </Box>
    )
  }
  const counts = [
    ['Posts', stats?.posts],
    ['Followers', stats?.followers],
    ['Following', stats?.following],
    ['Subscribers', user.isCreator ? stats?.subscribers : null],
  ] as const
  const shown = counts.flatMap(([name, count]) => (typeof count === 'number' ? [{ name, count }] : []))
  if (shown.length === 0) return null
  return (
    <Box as="dl" display="flex" flexWrap="wrap" columnGap="5" rowGap="1" marginTop="3">
      {shown.map(({ name, count }) => (
        <Box key={name} display="flex" flexDirection="row-reverse" gap="1.5" alignItems="baseline">
          <Box as="dt" textStyle="small" color="muted">
            {name}
          </Box>
          <Box as="dd" textStyle="label" fontVariantNumeric="tabular-nums">
            {compactNumber(count)}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
