import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from './Button'
import { LockIcon } from './icons'
import { Card } from './layout'
import { EmptyState } from './states'

/** In place of a screen for creators, for the two seconds before somebody else is taken home. */
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
          // The switch says what it costs, and leads to the payment where there is one.
          <ButtonLink to={paths.settings.getHref('profile', 'isCreator')} variant="gold">
            Upgrade to Creator Pro
          </ButtonLink>
        }
      />
    </Card>
  )
}
