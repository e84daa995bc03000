import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { dollars } from '@/lib/format'
import { Button, type ButtonProps } from '@/ui/Button'
import { SparkIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'
import { openUpgradeDialog, useNeedsCreatorPro } from '../creator-pro'

/** Matches windows that are too short for the card with its text. */
const lowWindow = '@media (max-height: 760px)'

/**
 * Shows users who are not creators what Creator Pro includes, with a button that opens the upgrade dialog. With
 * `compact`, shows only the button.
 */
export default function CreatorProCard({ compact = false }: { compact?: boolean }) {
  const needsPayment = useNeedsCreatorPro()
  const upgradeLabel = t`Upgrade to Creator Pro`
  if (compact) {
    return (
      <Tooltip label={upgradeLabel} side="right">
        <UpgradeButton size="icon" alignSelf="center" marginTop="4" aria-label={upgradeLabel}>
          <SparkIcon />
        </UpgradeButton>
      </Tooltip>
    )
  }
  return (
    <Box
      as="section"
      aria-labelledby="creator-pro"
      flexShrink="0"
      marginTop="5"
      padding="4"
      css={{ [lowWindow]: { marginTop: '3', padding: '3' } }}
      bg="gold.wash"
      borderRadius="lg"
    >
      <Box id="creator-pro" as="h2" display="flex" alignItems="center" gap="2" textStyle="label">
        <Box as="span" color="gold.text" fontSize="lg">
          <SparkIcon />
        </Box>
        {t`Creator Pro`}
      </Box>
      <Box
        textStyle="small"
        color="muted"
        marginTop="1.5"
        textWrap="balance"
        css={{ [lowWindow]: { srOnly: true } }}
      >
        {summaryText(needsPayment)}
      </Box>
      <UpgradeButton size="sm" width="100%" marginTop="3">
        {upgradeLabel}
      </UpgradeButton>
    </Box>
  )
}

/** Returns the text of the card, without a price until it is known whether the user has to pay. */
function summaryText(needsPayment: boolean | undefined): string {
  if (needsPayment === undefined) return t`Premium posts, subscriptions, analytics and payouts.`
  if (!needsPayment) return t`Premium posts, subscriptions, analytics and payouts. Free for now.`
  const price = dollars(limits.creatorProPrice)
  return t`Premium posts, subscriptions, analytics and payouts. ${price} per month.`
}

type UpgradeButtonProps = Pick<ButtonProps, 'size' | 'width' | 'marginTop' | 'alignSelf' | 'aria-label'> & {
  children: ReactNode
}

/** Shows a button that opens the upgrade dialog. Passes all props on to it, including those that `Tooltip` adds. */
function UpgradeButton(props: UpgradeButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Button
      {...props}
      ref={button}
      variant="gold"
      aria-haspopup="dialog"
      onClick={() => openUpgradeDialog(() => button.current)}
    />
  )
}
