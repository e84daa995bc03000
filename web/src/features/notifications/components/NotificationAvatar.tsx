import { Box, chakra } from '@chakra-ui/react'
import type { Notification } from '@contract/notification.ts'
import { compactNumber } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { notificationKinds } from './notification-kinds'

const Disc = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '11',
    borderRadius: 'full',
    bg: 'pressed',
    color: 'muted',
    fontSize: 'xl',
  },
})

const Others = chakra('span', {
  base: {
    position: 'absolute',
    insetEnd: '-1.5',
    bottom: '-1',
    display: 'grid',
    placeItems: 'center',
    minWidth: '1.375rem',
    height: '1.375rem',
    paddingInline: '1',
    borderRadius: 'full',
    bg: 'inverse',
    color: 'onInverse',
    fontSize: '0.6875rem',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
    outline: '2px solid',
    outlineColor: 'raised',
  },
})

/**
 * Who it was: a picture, with how many others where there are some; the mark of its kind where nobody in particular
 * did it. Decorative, as the sentence beside it names them.
 */
export function NotificationAvatar({ notification }: { notification: Notification }) {
  const { relatedUser, othersCount, kind } = notification
  if (!relatedUser) return <Disc aria-hidden>{notificationKinds[kind].icon}</Disc>
  const { profileImageUrl, isCreator } = relatedUser
  const person = { displayName: displayName(relatedUser), profileImageUrl, isCreator }
  if (othersCount === 0) return <Avatar person={person} />
  return (
    <Box as="span" position="relative" width="11" height="11" flexShrink={0} aria-hidden>
      <Avatar person={person} />
      <Others>+{compactNumber(othersCount)}</Others>
    </Box>
  )
}
