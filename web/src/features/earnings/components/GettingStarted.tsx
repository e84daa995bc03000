import { Box } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { earningSourceNames } from '@/billing/payments'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'

const earningMethods = [
  {
    name: earningSourceNames.subscription,
    description: msg`Fans pay monthly. Mark posts as included for subscribers when you publish.`,
  },
  {
    name: earningSourceNames.tip,
    description: msg`Fans can tip you from your posts, your profile or a message.`,
  },
  {
    name: earningSourceNames.premium_content,
    description: msg`Turn on Premium, set a price, and write a teaser that makes people want it.`,
  },
]

/** Shows a creator who has not earned anything yet how to earn money. */
export function GettingStarted() {
  return (
    <Card inset>
      <EmptyState
        illustration={<CoinsIllustration />}
        title={t`Your first sale will show up here`}
        text={t`There are three ways to earn. A premium post is the quickest to start with.`}
        action={
          <ButtonLink to={paths.home.getHref()} variant="ember">
            {t`Write a premium post`}
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
          <div key={name.id}>
            <Box as="dt" textStyle="label">
              {t(name)}
            </Box>
            <Box as="dd" textStyle="small" color="muted">
              {t(description)}
            </Box>
          </div>
        ))}
      </Box>
    </Card>
  )
}
