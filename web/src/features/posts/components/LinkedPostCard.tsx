import { Box, chakra } from '@chakra-ui/react'
import { type ChatMessage, LinkedPostAccess } from '@contract/message.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@/lib/api'
import { isNotFound } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { pageFreshness, queryKeys } from '@/lib/query-client'
import { Button } from '@/ui/Button'
import { CheckIcon, LockIcon } from '@/ui/icons'
import { useNearEnd } from '@/ui/LoadMore'
import { LockCircle } from '@/ui/LockCircle'
import { VisuallyHidden } from '@/ui/layout'
import { Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { findPost, postQuery } from '../api/posts'
import { unlockPrice } from '../model'
import { Placeholder } from './LockedThumbnails'
import { QuotedPostCard, toQuotedPost } from './QuotedPostCard'

/**
 * Shows the post that a message links to, or says that the post is not available. Loads the post once the card is near
 * the viewport. Shows the author of a premium post whether the receiver of the message has access to the post.
 */
export default function LinkedPostCard({
  postId,
  sentMessage,
  preview = false,
}: {
  postId: string
  /** The message with the link, if the current user sent it. */
  sentMessage?: ChatMessage | undefined
  /** Whether the message is a draft. */
  preview?: boolean
}) {
  const client = useQueryClient()
  const [wasShown, setShown] = useState(preview)
  const root = useNearEnd<HTMLDivElement>(!wasShown, () => setShown(true))
  const { data, error, refetch } = useQuery({
    ...postQuery(postId),
    enabled: wasShown,
    placeholderData: () => findPost(client, postId),
  })
  return (
    <div ref={root}>
      {isNotFound(error) ? (
        <QuotedPostCard quoted={{ available: false }} />
      ) : data ? (
        <QuotedPostCard quoted={toQuotedPost(data, data.locked)} label={t`Post:`} narrow preview={preview}>
          {data.locked ? (
            <Offer post={data} />
          ) : (
            data.mine &&
            data.isPremium && (
              <Box
                display="flex"
                flexWrap="wrap"
                alignItems="center"
                justifyContent="space-between"
                columnGap="3"
                paddingInline="3"
                paddingBlock="2"
                borderTopWidth="1px"
              >
                <PremiumPrice post={data} />
                {sentMessage && <ReceiverAccess postId={postId} message={sentMessage} />}
              </Box>
            )
          )}
        </QuotedPostCard>
      ) : error ? (
        <InlineError text={t`Couldn't load the post.`} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height="5rem" borderRadius="md" />
      )}
    </div>
  )
}

/**
 * Returns a query that fetches whether the receiver of a message has access to the premium post by the current user
 * that the message links to. Refetched when someone unlocks a post by the user or subscribes to them.
 */
const linkedPostAccessQuery = (postId: string, messageId: string) =>
  queryOptions({
    queryKey: [...queryKeys.linkedPostAccess, messageId, postId],
    queryFn: ({ signal }) =>
      api.get(`/api/messages/${messageId}/linked-posts/${encodeURIComponent(postId)}`, LinkedPostAccess, {
        signal,
      }),
    ...pageFreshness,
  })

/** Shows whether the receiver of a message has access to the premium post. Shows nothing until that is known. */
function ReceiverAccess({ postId, message }: { postId: string; message: ChatMessage }) {
  const { data } = useQuery(linkedPostAccessQuery(postId, message.id))
  if (!data) return null
  const texts = {
    none: t`Not unlocked yet`,
    unlocked: t`Unlocked`,
    included: t`Included in their subscription`,
  }
  return (
    <Box as="span" display="flex" alignItems="center" gap="1" textStyle="small" color="muted">
      {data.access !== 'none' && <CheckIcon />}
      {texts[data.access]}
    </Box>
  )
}

/**
 * Shows the blurred picture of a locked post, and its price, styled as a button. Says if even subscribers have to
 * unlock the post. The whole card is the link.
 */
function Offer({ post }: { post: Post }) {
  const { placeholder, user, includedInSubscription } = post
  const price = dollars(unlockPrice(post))
  return (
    <>
      <Frame>
        {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
        <LockCircle boxSize="10" fontSize="xl">
          <VisuallyHidden>{t`Premium post`}</VisuallyHidden>
        </LockCircle>
      </Frame>
      <Box padding="3" borderTopWidth="1px">
        {user.isCreator && !includedInSubscription && (
          <Box textStyle="small" color="muted" textAlign="center" marginBottom="2">
            {t`Not part of the subscription`}
          </Box>
        )}
        <Button asChild variant="gold" width="100%">
          <span>{t`Unlock for ${price}`}</span>
        </Button>
      </Box>
    </>
  )
}

/** Shows the price of a premium post. */
export function PremiumPrice({ post }: { post: Post }) {
  return (
    <Box
      as="span"
      display="flex"
      alignItems="center"
      gap="1"
      textStyle="small"
      fontWeight="semibold"
      color="gold.text"
    >
      <LockIcon />
      <VisuallyHidden>{t`Premium post`}</VisuallyHidden>
      {dollars(unlockPrice(post))}
    </Box>
  )
}

const Frame = chakra('div', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    overflow: 'hidden',
    aspectRatio: '16 / 9',
    bg: 'sunken',
    borderTopWidth: '1px',
  },
})
