import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '@/ui/Button'
import { LockIcon } from '@/ui/icons'
import type { PagedList } from '@/ui/LoadMore'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { scrollToComment } from '../linked-comment'

/** Shows placeholders for `count` comments, at most 3. */
export function CommentSkeletons({ label, count = 3 }: { label?: string; count?: number }) {
  return (
    <Loading label={label ?? t`Loading comments`}>
      {['first', 'second', 'third'].slice(0, count).map((key) => (
        <Box key={key} display="flex" gap="2.5" paddingTop="3">
          <SkeletonCircle size="8" />
          <Box flex="1">
            <Skeleton height="3" width="30%" marginTop="1.5" />
            <Skeleton height="3" width="80%" marginTop="3" />
            <Box height="8" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

export function NoComments() {
  return (
    <Box textStyle="small" color="muted" textAlign="center" paddingBlock="3">
      <Trans>No comments yet. Be the first to say something.</Trans>
    </Box>
  )
}

/** Reports that the comment to which the URL links cannot be shown, and scrolls to this notice. */
export function LinkedCommentGone() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ref.current) scrollToComment(ref.current, 'center')
  }, [])
  return (
    <Box ref={ref} role="status" padding="3" marginTop="2" borderRadius="md" bg="pressed" textStyle="small">
      <Trans>The linked comment was deleted, or you don't have access to it.</Trans>
    </Box>
  )
}

/** Shows why the comments on a locked premium post are hidden. */
export function LockedComments({ post }: { post: Post }) {
  const canSubscribe = post.includedInSubscription && post.user.isCreator
  return (
    <Box display="flex" alignItems="center" justifyContent="center" gap="2" paddingBlock="6" color="muted">
      <Box as="span" color="gold.text" fontSize="xl">
        <LockIcon />
      </Box>
      {canSubscribe
        ? t`Unlock the post, or subscribe, to read and write comments.`
        : t`Unlock the post to read and write comments.`}
    </Box>
  )
}

/** Loads the next page of comments or replies, if there is one. */
export function LoadMoreCommentsButton({
  list,
  label,
  failedLabel,
}: {
  list: PagedList
  label: string
  /** The label after the next page failed to load. */
  failedLabel: string
}) {
  if (!list.hasNextPage) return null
  return (
    <Box paddingBlock="3" textAlign="center">
      <Button
        variant="outline"
        size="sm"
        pending={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchNextPageError ? failedLabel : label}
      </Button>
    </Box>
  )
}
