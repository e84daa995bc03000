import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { UserDetails } from '@contract/user.ts'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { longDate } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { CheckIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { usePaymentsConfig } from '../payments'
import { isExpired, monthlyPriceText, subscriptionOfferQuery } from '../subscriptions'

const cancelBenefit = msg`Cancel any time and keep access until the month ends`
/** The first applies only if posts are included. */
const benefits = [
  msg`Read and comment on all included posts`,
  msg`A notification about each new post`,
  cancelBenefit,
]

/** Shows what a subscription to the creator includes and costs. The button is in the header of the profile. */
export function SubscriptionCard({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const { data: offer } = useQuery({ ...subscriptionOfferQuery(user.id), enabled: isAuthenticated })
  const name = displayName(user)
  const price = monthlyPriceText()
  const { payments } = usePaymentsConfig(user.subscription !== null)
  const periodEnd = user.subscription ? longDate(user.subscription.periodEnd) : ''
  const renews = user.subscription && payments && payments !== 'off'
  return (
    <Card as="section" aria-labelledby="subscription-benefits" padding="4">
      <Box as="h2" id="subscription-benefits" textStyle="title">
        {user.subscription ? (
          t`Your subscription`
        ) : (
          <Trans>
            Subscribe to <bdi>{name}</bdi>
          </Trans>
        )}
      </Box>
      {!isExpired(user.subscription?.periodEnd) && (
        <Box color="muted" textStyle="small" marginTop="1">
          {user.subscription?.cancelled
            ? t`Ends on ${periodEnd}`
            : renews
              ? t`${price} per month, renews on ${periodEnd}`
              : t`${price} per month`}
        </Box>
      )}
      {/* Without a subscription, `OfferNote` shows the number of posts below the button in the header. */}
      {user.subscription && (
        <Box textStyle="small" marginTop="3">
          <IncludedPosts creatorId={user.id} enabled />
        </Box>
      )}
      <Box
        as="ul"
        listStyleType="none"
        display="grid"
        gap="2"
        marginTop={user.subscription ? '2' : '3'}
        textStyle="small"
      >
        {benefits.slice(offer?.posts === 0 ? 1 : 0).map((text) => (
          <Box as="li" key={text.id} display="flex" gap="2">
            <Box as="span" color="gold.text" fontSize="md" marginTop="0.5">
              <CheckIcon />
            </Box>
            {t(text)}
          </Box>
        ))}
      </Box>
    </Card>
  )
}

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
  const included = includedPostsText(offer.posts)
  return offer.posts === 0 ? included : `${included} ${t`Cancel any time.`}`
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
