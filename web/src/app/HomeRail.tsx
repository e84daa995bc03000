import { Box, chakra } from '@chakra-ui/react'
import { User } from '@contract/user.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { appName } from '@/appName'
import { api, withQuery } from '@/lib/api'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { PlusIcon } from '@/ui/icons'
import { Card, TextAnchor } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { useCompose } from './shell/useCompose'

const shownCreators = 3

/** The first page of the directory; nobody oneself is in it. */
const directoryQuery = queryOptions({
  queryKey: ['users', 'directory', 'rail'],
  queryFn: ({ signal }) => api.page(withQuery('/api/users', { limit: 20 }), User, { signal }),
})

const PersonLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '14',
    marginInline: '-2',
    paddingInline: '2',
    borderRadius: 'md',
    _hover: { bg: 'hover' },
  },
})

/** Beside the home feed: what one can start, whom one can follow, and the small print. */
export function HomeRail() {
  const compose = useCompose()
  return (
    <Box position="sticky" top="calc({sizes.header} + {spacing.5})" display="grid" gap="4">
      <Card as="section" aria-labelledby="quick-actions" padding="5">
        <Box as="h2" id="quick-actions" textStyle="title" marginBottom="3">
          Quick Actions
        </Box>
        <Button width="100%" justifyContent="flex-start" onClick={compose}>
          <PlusIcon /> Create New Post
        </Button>
      </Card>
      <Creators />
      <Box
        as="footer"
        textStyle="caption"
        color="muted"
        display="flex"
        flexWrap="wrap"
        gap="4"
        paddingInline="2"
      >
        <SmallPrint href={paths.terms.getHref()}>Terms</SmallPrint>
        <SmallPrint href={paths.privacy.getHref()}>Privacy</SmallPrint>
        <span>
          © {new Date().getFullYear()} {appName}
        </span>
      </Box>
    </Box>
  )
}

function SmallPrint({ href, children }: { href: string; children: string }) {
  return (
    <TextAnchor href={href} target="_blank" rel="noopener" color="muted" fontWeight="normal">
      {children}
    </TextAnchor>
  )
}

/** Three creators to look at. Left out where there are none, and where the list did not load: the feed matters more. */
function Creators() {
  const { user } = useCurrentUser()
  const directory = useQuery(directoryQuery)
  const creators = directory.data?.items
    .filter((person) => person.isCreator && person.id !== user?.id)
    .slice(0, shownCreators)
  if (directory.isError || creators?.length === 0) return null
  return (
    <Card as="section" aria-labelledby="creators" padding="5">
      <Box as="h2" id="creators" textStyle="title" marginBottom="2">
        Creators to discover
      </Box>
      {creators ? (
        <Box as="ul" listStyleType="none">
          {creators.map((person) => (
            <li key={person.id}>
              <PersonLink to={paths.profile.getHref(person.handle)}>
                <Avatar person={person} />
                <Box minWidth="0">
                  <Box textStyle="label" truncate>
                    {person.displayName}
                  </Box>
                  <Box textStyle="small" color="muted" truncate>
                    @{person.handle}
                  </Box>
                </Box>
              </PersonLink>
            </li>
          ))}
        </Box>
      ) : (
        <Loading>
          {['first', 'second', 'third'].map((row) => (
            <Box key={row} display="flex" gap="3" alignItems="center" minHeight="14">
              <SkeletonCircle />
              <Skeleton width="50%" height="3.5" />
            </Box>
          ))}
        </Loading>
      )}
    </Card>
  )
}
