import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { monthlyPriceText, subscriptionOfferQuery } from '@/billing/subscriptions'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Card } from '@/ui/layout'
import { Skeleton } from '@/ui/Skeleton'
import { UserRow, UserRowLink } from '@/ui/UserRow'
import { userQuery } from '../api'
import FollowButton from './FollowButton'
import { canSubscribeTo } from './ProfileActions'

/**
 * Shows the author of a post with their bio, and buttons to follow them and, if their subscription includes posts, to
 * subscribe.
 */
export function AuthorCard({ author }: { author: UserCard }) {
  const { user: viewer } = useCurrentUser()
  const { data: user, isPending } = useQuery(userQuery(author.handle))
  const canSubscribe = !!user && user.id !== viewer?.id && canSubscribeTo(user) && !user.subscription
  const { data: offer, isLoading } = useQuery({
    ...subscriptionOfferQuery(author.id),
    enabled: canSubscribe,
  })
  const hasOffer = canSubscribe && !!offer && offer.posts > 0
  const name = displayName(author)
  const price = monthlyPriceText()
  return (
    <Card as="section" aria-label={name} padding="4" display="grid" gap="3">
      <UserRowLink to={paths.profile.getHref(author.handle)}>
        <UserRow user={author} />
      </UserRowLink>
      {user?.bio && (
        <Box textStyle="small" lineClamp="4" whiteSpace="pre-line" overflowWrap="anywhere">
          <bdi>{user.bio}</bdi>
        </Box>
      )}
      {(isPending || isLoading) && viewer?.id !== author.id ? (
        <Skeleton height="9" borderRadius="full" />
      ) : (
        user && (
          <Box display="flex" flexWrap="wrap" gap="2">
            {hasOffer && (
              <SubscribeButton
                user={user}
                size="sm"
                flex="99 0 auto"
                aria-label={t`Subscribe ${price}/mo: ${name}`}
              />
            )}
            <Box flex="1 0 auto" display="grid">
              <FollowButton user={user} wording="list" size="sm" />
            </Box>
          </Box>
        )
      )}
    </Card>
  )
}
