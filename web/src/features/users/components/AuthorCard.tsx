import { Box } from '@chakra-ui/react'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { monthlyPriceText, subscriptionOfferQuery } from '@/billing/subscriptions'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Skeleton, SkeletonText } from '@/ui/Skeleton'
import { UserRow, UserRowLink } from '@/ui/UserRow'
import { userTextParagraphs } from '@/ui/UserText'
import { userQuery } from '../api'
import FollowButton from './FollowButton'
import { canSubscribeTo } from './ProfileActions'

/**
 * Shows the author of a post, the start of their bio, a button to follow them and, if a subscription to them includes
 * posts, a button to subscribe with its price. The subscribe button is outlined, because unlocking the post is the main
 * action.
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
    <Box as="section" aria-label={name} display="grid" gap="3">
      <Box display="flex" alignItems="center" gap="2">
        <Box flex="1" minWidth="0">
          <UserRowLink to={paths.profile.getHref(author.handle)}>
            <UserRow user={author} />
          </UserRowLink>
        </Box>
        {user && <FollowButton user={user} wording="list" size="sm" />}
      </Box>
      {isPending ? (
        <SkeletonText lines={2} />
      ) : (
        user?.bio && (
          <Box textStyle="small" overflowWrap="anywhere" lineClamp="2" {...userTextParagraphs}>
            {user.bio}
          </Box>
        )
      )}
      {(isPending || isLoading) && viewer?.id !== author.id && author.isCreator ? (
        <Skeleton height="target" borderRadius="full" />
      ) : (
        user &&
        hasOffer && <SubscribeButton user={user} secondary aria-label={t`Subscribe ${price}/mo: ${name}`} />
      )}
    </Box>
  )
}
