import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { subscriptionsQuery } from '@/billing/subscriptions'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { SubscriptionRow } from './SubscriptionRow'

/** The creators whom one pays by the month. */
export function Subscriptions() {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} paddingTop={{ base: '4', md: '6' }}>
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="3">
        <Box as="h2" id={id} textStyle="title">
          Your subscriptions
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          What creators include for their subscribers is open to you as long as one runs.
        </Box>
      </Box>
      <Listed />
    </Card>
  )
}

function Listed() {
  const list = useInfiniteQuery(subscriptionsQuery)
  if (list.isPending) return <Waiting />
  if (list.isError && !list.data) {
    return <ErrorState message="Your subscriptions did not load." onRetry={() => void list.refetch()} />
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        title="No subscriptions yet"
        text="On a creator’s profile you can subscribe to them by the month."
        action={
          <ButtonLink to={paths.creators.getHref()} variant="outline">
            Find creators
          </ButtonLink>
        }
      />
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {items.map((one) => (
          <SubscriptionRow key={one.id} subscription={one} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

function Waiting() {
  return (
    <Loading
      label="Loading subscriptions"
      display="flex"
      alignItems="center"
      gap="4"
      paddingInline={{ base: '4', md: '6' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <SkeletonCircle size="10" />
      <Box flex="1">
        <Skeleton height="3.5" width="40%" />
        <Skeleton height="3" width="60%" marginTop="2" />
      </Box>
    </Loading>
  )
}
