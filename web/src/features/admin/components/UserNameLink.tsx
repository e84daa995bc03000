import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import type { ComponentProps } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Avatar } from '@/ui/Avatar'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { userName } from '../user-name'

/** Shows a user's name, linked to their profile unless the account was deleted. */
export function UserNameLink({ user }: { user: UserCard | null }) {
  const name = userName(user)
  if (!user) return name
  return (
    <Box asChild _hover={{ textDecoration: 'underline' }}>
      <Link to={paths.profile.getHref(user.handle)}>
        <bdi>{name}</bdi>
      </Link>
    </Box>
  )
}

/** Shows the avatar of a user whose account may have been deleted. */
export function UserAvatar({
  user,
  size,
}: { user: UserCard | null } & Pick<ComponentProps<typeof Avatar>, 'size'>) {
  return <Avatar user={{ profileImageUrl: null, ...user, displayName: userName(user) }} size={size} />
}

/** Shows placeholders while a list of users loads. */
export function UserRowsSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} display="flex" alignItems="center" gap="4" padding="5" borderTopWidth="1px">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="35%" />
            <Skeleton height="3" width="55%" marginTop="2" />
          </Box>
          <Skeleton height="5" width="5rem" borderRadius="full" />
        </Box>
      ))}
    </Loading>
  )
}
