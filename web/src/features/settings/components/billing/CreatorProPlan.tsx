import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { dollars } from '@/lib/format'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { Badge } from '@/ui/CountBadge'
import { Panel } from '../Panel'

/** The plan of creators, with what it is to cost and what it costs today. */
export function CreatorProPlan() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <Panel
      title="Creator Pro Plan"
      text={
        <>
          <Box as="span" display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
            <Box as="span" color="text">
              <Box as="span" textStyle="title">
                {dollars(limits.creatorProPrice)}
              </Box>{' '}
              per month
            </Box>
            {user.isCreator && <Badge tone="success">Active</Badge>}
          </Box>
          <Box as="span" display="block" marginTop="1.5">
            {user.isCreator
              ? 'Nothing is charged for it today, and no card is kept. You switch it off in your profile settings.'
              : 'A creator’s ring and badge, premium posts, and the way into Analytics and Earnings. Nothing is charged for it today.'}
          </Box>
        </>
      }
      action={
        <ButtonLink
          to={paths.settings.getHref('profile', 'isCreator')}
          variant={user.isCreator ? 'outline' : 'gold'}
        >
          {user.isCreator ? 'Manage' : 'Become a creator'}
        </ButtonLink>
      }
    />
  )
}
