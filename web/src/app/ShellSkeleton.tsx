import { Box } from '@chakra-ui/react'
import { PostSkeletons } from '@/features/posts/components/PostSkeletons'
import { LogoLink } from '@/ui/LogoLink'
import { Card } from '@/ui/layout'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { Columns, Main, TopBar, TopBarColumns } from './shell/ShellLayout'

/** The shape of the signed-in app while its code is on its way. */
export function ShellSkeleton() {
  return (
    <>
      <TopBar>
        <TopBarColumns>
          <LogoLink />
          <Box hideBelow="md">
            <Skeleton height="target" borderRadius="full" />
          </Box>
          <Box display="flex" justifyContent="flex-end">
            <SkeletonCircle size="8" />
          </Box>
        </TopBarColumns>
      </TopBar>
      <Columns>
        <Box hideBelow="md" paddingTop="5" display="grid" gap="1" alignContent="start">
          {['first', 'second', 'third'].map((link) => (
            <Skeleton key={link} height="12" borderRadius="full" />
          ))}
        </Box>
        <Main>
          <Card>
            <PostSkeletons />
          </Card>
        </Main>
      </Columns>
    </>
  )
}
