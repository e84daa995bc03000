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
  msg`Notifications about new posts if you also follow the creator`,
  cancelBenefit,
]

/** Until the viewer subscribes, a lower number of posts is shown only in the payment dialog. */
const minAdvertisedPosts = 10

/**
 * Shows what the subscription includes, below the button to subscribe. Visitors do not see the number of posts.
 *
 * @param premiumPosts the number of the creator's premium posts, if it is known
 */
export function OfferNote({ creatorId, premiumPosts }: { creatorId: string; premiumPosts?: number | null }) {
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
      ? t`All posts for subscribers, old and new.`
      : includedPostsText(offer.posts, premiumPosts)
  return `${included} ${t`Cancel any time.`}`
}

/**
 * Returns the price of a subscription and, if the viewer is subscribed, when it renews. For a cancelled subscription,
 * returns only when it ends.
 */
export function useSubscriptionTerms({ subscription }: Pick<UserDetails, 'subscription'>): string {
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

/**
 * Shows how many posts a subscription includes now, once the number has loaded.
 *
 * @param premiumPosts the number of the creator's premium posts, if it is known
 */
export function IncludedPosts({
  creatorId,
  premiumPosts,
  enabled,
}: {
  creatorId: string
  premiumPosts?: number | null
  enabled: boolean
}) {
  const { data } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled })
  return (
    <Box role="status" minHeight="6">
      {data && includedPostsText(data.posts, premiumPosts)}
    </Box>
  )
}

function includedPostsText(posts: number, premiumPosts: number | null = null): string {
  if (posts === 0) return t`Nothing included yet. You'll be supporting what's next.`
  if (posts > limits.includedPostsCountCap) {
    const count = formatCount(limits.includedPostsCountCap)
    return t`Includes more than ${count} premium posts right now.`
  }
  if (premiumPosts !== null && premiumPosts > posts) {
    const [included, total] = [formatCount(posts), formatCount(premiumPosts)]
    return t`Includes ${included} of ${total} premium posts.`
  }
  return t`${plural(posts, {
    one: 'Includes # premium post right now.',
    other: 'Includes # premium posts right now.',
  })}`
}
