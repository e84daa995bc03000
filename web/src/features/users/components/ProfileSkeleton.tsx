import { Box } from '@chakra-ui/react'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'

/** The shape of a profile that is on its way. */
export function ProfileSkeleton() {
  return (
    <Loading label="Loading profile">
      <Skeleton height={{ base: '7.5rem', md: '11rem' }} borderRadius="0" />
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="5" marginTop="-3.5rem">
        <SkeletonCircle size="7rem" />
        <Skeleton height="6" width="45%" marginTop="4" />
        <Skeleton height="4" width="25%" marginTop="2.5" />
        <SkeletonText lines={2} marginTop="4" />
      </Box>
    </Loading>
  )
}
