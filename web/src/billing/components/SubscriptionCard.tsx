import { Box } from '@chakra-ui/react'
import type { UserDetails } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { CheckIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { isExpired, monthlyPriceText, subscriptionOfferQuery } from '../subscriptions'
import { SubscribeButton } from './SubscribeButton'
import { benefits, IncludedPosts, useSubscriptionTerms } from './SubscriptionBenefits'

/**
 * Shows what a subscription to the creator costs and includes, with a button to subscribe. The button comes first, so
 * that it is in view in low windows, too.
 *
 * @param preview a preview of the included posts, which is shown to everyone except subscribers
 * @param premiumPosts the number of the creator's premium posts, if it is known
 * @param secondary outlines the button, for when the main one is in view
 */
export function SubscriptionCard({
  user,
  preview,
  premiumPosts,
  secondary,
}: {
  user: UserDetails
  preview: ReactNode
  premiumPosts: number | null | undefined
  secondary: boolean
}) {
  const { isAuthenticated } = useCurrentUser()
  const { data: offer } = useQuery({ ...subscriptionOfferQuery(user.id), enabled: isAuthenticated })
  const terms = useSubscriptionTerms(user)
  const name = displayName(user)
  const price = monthlyPriceText()
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
        <Box color="muted" textStyle="small" textWrap="balance" marginTop="1">
          {terms}
        </Box>
      )}
      {!user.subscription && (
        <Box display="grid" gap="2" marginTop="3">
          <SubscribeButton
            user={user}
            secondary={secondary}
            withLengths
            aria-label={t`Subscribe ${price}/mo: ${name}`}
          />
        </Box>
      )}
      {/* Without a subscription, `OfferNote` shows the number of posts below the button in the header. */}
      {user.subscription && (
        <Box textStyle="small" marginTop="3">
          <IncludedPosts creatorId={user.id} premiumPosts={premiumPosts} enabled />
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
      {!user.subscription && preview}
    </Card>
  )
}
