import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Card, joinedMargin } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'

/** Shows placeholders for `count` posts that are loading, at most 3. `large` is for a post's own page. */
export function PostSkeletons({ count = 3, large = false }: { count?: number; large?: boolean }) {
  return (
    <Loading label={t`Loading posts`}>
      {(['first', 'second', 'third'] as const).slice(0, count).map((key, index) => (
        <Box
          key={key}
          display="grid"
          gridTemplateColumns="auto minmax(0, 1fr)"
          columnGap="3"
          alignItems={large ? 'center' : { base: 'center', md: 'start' }}
          paddingInline={{ base: '4', md: '5' }}
          paddingTop="4"
          paddingBottom="2"
          borderTopWidth={index ? '1px' : '0'}
        >
          <Box gridRow={large ? undefined : { md: '1 / span 2' }}>
            <SkeletonCircle />
          </Box>
          <Box display="flex" alignItems="center" height="6">
            <Skeleton height="3.5" width="38%" />
          </Box>
          <Box gridColumn={large ? '1 / -1' : { base: '1 / -1', md: '2' }}>
            <SkeletonText lines={2} marginTop="2.5" />
            {index === 1 && (
              <Skeleton
                height="auto"
                aspectRatio="4 / 3"
                borderRadius={{ base: '0', md: 'md' }}
                marginTop="3.5"
                marginInline={{ base: '-4', md: '0' }}
              />
            )}
            <Box
              display="flex"
              alignItems="center"
              justifyContent="space-between"
              height="target"
              marginTop="2"
            >
              <Skeleton height="4" width="9" />
              <Skeleton height="4" width="9" />
              <Skeleton height="4" width="9" />
            </Box>
          </Box>
        </Box>
      ))}
    </Loading>
  )
}

/** Shows placeholders for the home feed with its composer and its tabs. */
export function FeedSkeleton() {
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '0', md: '4' }} marginTop={joinedMargin}>
      <Card
        display="flex"
        gap="3"
        paddingInline={{ base: '4', md: '5' }}
        paddingBlock={{ base: '2', md: '3.5' }}
        // As tall as the collapsed composer.
        minHeight={{ base: '65px', md: '77px' }}
      >
        <SkeletonCircle />
        <Box flex="1">
          <Skeleton height="4" width="50%" marginTop="3.5" />
        </Box>
      </Card>
      <Box
        display="flex"
        alignItems="center"
        justifyContent={{ base: 'space-around', md: 'flex-start' }}
        gap="8"
        height="target"
        paddingInline={{ base: '3', md: '4' }}
        borderBottomWidth="1px"
        borderColor="hairline"
      >
        <Skeleton height="3.5" width="14" />
        <Skeleton height="3.5" width="18" />
      </Box>
      <Card marginTop={{ base: '-1px', md: '0' }}>
        <PostSkeletons />
      </Card>
    </Box>
  )
}
