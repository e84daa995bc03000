import { Box } from '@chakra-ui/react'
import { earningSourceNames } from '@/billing/payments'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

const earningMethods = [
  {
    name: earningSourceNames.subscription,
    description: 'People subscribe by the month. Include posts for them when you write one.',
  },
  {
    name: earningSourceNames.tip,
    description: 'A tip can come from any of your posts, your profile or a message.',
  },
  {
    name: earningSourceNames.premium_content,
    description: 'Switch Premium on in a post, name a price, and let a teaser speak for it.',
  },
]

/** Shows how to earn to a creator who has not earned anything yet. */
export function GettingStarted() {
  return (
    <Card>
      <EmptyState
        illustration={<CoinsIllustration />}
        title="Your first sale will stand here"
        text="There are three ways to earn. A premium post is the quickest to begin with."
        action={
          <ButtonLink to={paths.home.getHref()} variant="ember">
            Write a premium post
          </ButtonLink>
        }
      />
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
        columnGap="6"
        rowGap="4"
        padding={{ base: '4', md: '6' }}
        borderTopWidth="1px"
      >
        {earningMethods.map(({ name, description }) => (
          <div key={name}>
            <Box as="dt" textStyle="label">
              {name}
            </Box>
            <Box as="dd" textStyle="small" color="muted">
              {description}
            </Box>
          </div>
        ))}
      </Box>
    </Card>
  )
}
