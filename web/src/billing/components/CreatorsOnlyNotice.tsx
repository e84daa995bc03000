import { Box } from '@chakra-ui/react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

/** In place of a screen for creators, for the two seconds before somebody else is taken home. */
export function CreatorsOnlyNotice() {
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
