import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { UserDetails } from '@contract/user.ts'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPercent } from '@/lib/format'
import { longDate } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { usePaymentsConfig } from '../payments'
import { recurringPriceText, subscriptionOfferQuery } from '../subscriptions'

const cancelBenefit = msg`Cancel any time and keep access until the paid period ends`

/** The benefits of a subscription. The first applies only if posts are included. */
export const benefits = [
  msg`Read and comment on all included posts`,
  msg`A notification about each new post`,
  cancelBenefit,
]

/** Until the viewer subscribes, a lower number of posts is shown only in the payment dialog. */
const minAdvertisedPosts = 10

/** Shows what the subscription includes, below the button to subscribe. Visitors do not see the number of posts. */
export function OfferNote({ creatorId }: { creatorId: string }) {
  const { isAuthenticated } = useCurrentUser()
  const { data: offer, isLoading } = useQuery({
    ...subscriptionOfferQuery(creatorId),
    enabled: isAuthenticated,
  })
  // A non-breaking space keeps the height of the line.
  if (isLoading) return '\u00a0'
  if (!offer) return t(cancelBenefit)
  if (offer.posts === 0) return includedPostsText(0)
  const included =
    offer.posts < minAdvertisedPosts
      ? t`Every new subscriber post, and the archive.`
      : includedPostsText(offer.posts)
  return `${included} ${t`Cancel any time.`}`
}

/**
 * Shows the price of a subscription and, if the viewer is subscribed, when it renews. For a cancelled subscription,
 * shows only when it ends.
 */
export function SubscriptionTerms({ user: { subscription } }: { user: Pick<UserDetails, 'subscription'> }) {
  const terms = recurringPriceText(subscription ?? { price: limits.subscriptionPrice, months: 1 })
  const { payments } = usePaymentsConfig(subscription !== null)
  const periodEnd = subscription ? longDate(subscription.periodEnd) : ''
  if (subscription?.cancelled) return t`Ends on ${periodEnd}`
  const renews = subscription && payments && payments !== 'off'
  return renews ? t`${terms}, renews on ${periodEnd}` : terms
}

/** Shows how much a subscriber saves at most by paying for several months, if the creator offers that. */
export function SavingsNote({ creatorId }: { creatorId: string }) {
  const { isAuthenticated } = useCurrentUser()
  const { data } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled: isAuthenticated })
  if (!data?.lengths.length) return null
  const percent = formatPercent(Math.max(...data.lengths.map(({ discount }) => discount)))
  return t`Save up to ${percent}`
}

/** Shows how many posts a subscription includes now, once the number has loaded. */
export function IncludedPosts({ creatorId, enabled }: { creatorId: string; enabled: boolean }) {
  const { data } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled })
  return (
    <Box role="status" minHeight="6">
      {data && includedPostsText(data.posts)}
    </Box>
  )
}

function includedPostsText(posts: number): string {
  if (posts === 0) return t`Nothing included yet. You'll be supporting what's next.`
  if (posts > limits.includedPostsCountCap) {
    const count = formatCount(limits.includedPostsCountCap)
    return t`Includes more than ${count} posts right now.`
  }
  return t`${plural(posts, { one: 'Includes # post right now.', other: 'Includes # posts right now.' })}`
}
