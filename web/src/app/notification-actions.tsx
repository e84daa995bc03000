import { Box } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { NotificationActions } from '@/features/notifications/components/NotificationRow'
import FollowButton from '@/features/users/components/FollowButton'

const CommentQuickActions = lazy(() => import('@/features/comments/components/CommentQuickActions'))

/** The buttons in notifications that belong to other features. */
export const notificationActions: NotificationActions = {
  followButton: (user) => <FollowButton user={user} wording="back" size="sm" />,
  commentActions: (comment, author) => (
    <Suspense fallback={<Box height={{ base: 'target', md: '8' }} />}>
      <CommentQuickActions comment={comment} author={author} />
    </Suspense>
  ),
}
