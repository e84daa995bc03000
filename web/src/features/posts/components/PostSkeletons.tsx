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
          paddingBottom={{ base: '0.5', md: '1' }}
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
              marginTop={{ base: '0.5', md: '1' }}
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
    <Box display="flex" flexDirection="column" marginTop={joinedMargin}>
      <Card
        display="flex"
        alignItems="center"
        gap="3"
        paddingInline={{ base: '4', md: '5' }}
        // As tall as the collapsed composer.
        minHeight={{ base: '50px', md: '69px' }}
        borderBottomRadius="0"
        borderBottomWidth={{ md: '0' }}
      >
        <SkeletonCircle size={{ base: '8', md: '11' }} />
        <Skeleton height="4" width="50%" />
      </Card>
      <Box
        display="flex"
        alignItems="center"
        justifyContent={{ base: 'space-around', md: 'flex-start' }}
        gap="8"
        height="target"
        paddingInline={{ base: '3', md: '5' }}
        bg="surface"
        borderBottomWidth="1px"
        borderInlineWidth={{ md: '1px' }}
      >
        <Skeleton height="3.5" width="14" />
        <Skeleton height="3.5" width="18" />
      </Box>
      <Card marginTop={{ base: '-1px', md: '0' }} borderTopRadius="0" borderTopWidth={{ md: '0' }}>
        <PostSkeletons />
      </Card>
    </Box>
  )
}
