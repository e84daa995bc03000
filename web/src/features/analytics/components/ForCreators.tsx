import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

/** For the two seconds before somebody who is no creator is taken home. */
export function ForCreators() {
  return (
    <Card>
      <EmptyState
        drawing={
          <Box fontSize="4rem" color="gold.text" display="flex" justifyContent="center">
            <LockIcon />
          </Box>
        }
        title="This is for creators"
        text="Taking you back to your home feed."
        action={
          <ButtonLink to={paths.settings.getHref('profile')} variant="gold">
            Upgrade to Creator Pro
          </ButtonLink>
        }
      />
    </Card>
  )
}
