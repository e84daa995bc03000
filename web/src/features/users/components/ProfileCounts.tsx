import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { compactNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { statsQuery } from '../api'

/** The whole of number and word leads to the list, high enough for a finger. */
const CountLink = chakra(Link, {
  base: {
    _after: { content: '""', position: 'absolute', insetInline: '0', insetBlock: { base: '0', md: '-3' } },
    _hover: { textDecoration: 'underline', color: 'text' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', borderRadius: 'xs' },
    },
  },
})

/** Posts, followers, following, and a creator's subscribers; what the person hides is left out. */
export function ProfileCounts({ user, own }: { user: User; own: boolean }) {
  const { isAuthenticated } = useCurrentUser()
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
  // The lists are for people who are signed in.
  const lists = isAuthenticated ? { followers: paths.followers, following: paths.followed } : {}
  const counts = [
    { name: 'Posts', count: stats?.posts },
    { name: 'Followers', count: stats?.followers, list: lists.followers },
    { name: 'Following', count: stats?.following, list: lists.following },
    { name: 'Subscribers', count: user.isCreator ? stats?.subscribers : null },
  ]
  const shown = counts.flatMap((one) =>
    typeof one.count === 'number' ? [{ ...one, count: one.count, to: one.list?.getHref(user.handle) }] : [],
  )
  if (shown.length === 0) return null
  return (
    <Box
      as="dl"
      display="flex"
      flexWrap="wrap"
      columnGap="5"
      rowGap={{ base: '0', md: '1' }}
      marginTop={{ base: '1', md: '3' }}
    >
      {shown.map(({ name, count, to }) => (
        <Box
          key={name}
          position="relative"
          display="flex"
          flexDirection="row-reverse"
          // A line that wraps has something to align as a whole.
          flexWrap="wrap"
          alignContent="center"
          minHeight={{ base: 'target', md: '0' }}
          gap="1.5"
          alignItems="baseline"
        >
          <Box as="dt" textStyle="small" color="muted">
            {to ? <CountLink to={to}>{name}</CountLink> : name}
          </Box>
          <Box as="dd" textStyle="label" fontVariantNumeric="tabular-nums">
            {compactNumber(count)}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
