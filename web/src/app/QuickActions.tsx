import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { LiveIcon, PlusIcon, TagIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { openComposer, openLiveDialog, openProductDialog } from './shell/quick-dialogs'

const actions = [
  { name: 'Create New Post', sign: <PlusIcon />, run: openComposer },
  { name: 'Go Live', sign: <LiveIcon />, run: openLiveDialog },
  { name: 'Add Product', sign: <TagIcon />, run: openProductDialog },
] as const

/** What one can start, in the rail. */
export function QuickActions() {
  return (
    <Card as="section" aria-labelledby="quick-actions" padding="4">
      <Box as="h2" id="quick-actions" textStyle="title" marginBottom="3">
        Quick Actions
      </Box>
      <Box display="grid" gap="2">
        {actions.map(({ name, sign, run }) => (
          <Button key={name} width="100%" justifyContent="flex-start" onClick={run}>
            <Box as="span" fontSize="lg">
              {sign}
            </Box>
            {name}
          </Button>
        ))}
      </Box>
    </Card>
  )
}

/** The same below the composer, where there is no rail: the composer itself creates the post. */
export function QuickActionsBar() {
  return (
    <Card
      role="group"
      aria-label="Quick Actions"
      hideFrom="xl"
      display="grid"
      gridTemplateColumns="1fr 1fr"
      gap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="2"
    >
      {actions.slice(1).map(({ name, sign, run }) => (
        <Button key={name} variant="ghost" onClick={run}>
          <Box as="span" fontSize="xl" color="ember.text">
            {sign}
          </Box>
          {name}
        </Button>
      ))}
    </Card>
  )
}
