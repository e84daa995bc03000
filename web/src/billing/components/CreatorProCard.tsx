import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { type ReactNode, useRef, useState } from 'react'
import { dollars } from '@/lib/format'
import { userStorage } from '@/lib/storage'
import { Button, type ButtonProps } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, SparkIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'
import { openUpgradeDialog, useNeedsCreatorPro } from '../creator-pro'

/** Matches windows that are too short for the card with its text. */
const lowWindow = '@media (max-height: 760px)'

/** The name under which this browser stores, until the user signs out, that they have hidden the card. */
const dismissedName = 'creator-pro-card'

/**
 * Shows users who are not creators what Creator Pro includes, with a button that opens the upgrade dialog and one that
 * hides the card until they sign out. With `compact`, shows only the first button.
 *
 * @param onDismiss moves the focus, because the focused button disappears
 */
export default function CreatorProCard({
  userId,
  compact = false,
  onDismiss,
}: {
  userId: string
  compact?: boolean
  onDismiss: () => void
}) {
  const needsPayment = useNeedsCreatorPro()
  const storage = userStorage(userId)
  const [isDismissed, setDismissed] = useState(() => storage.get(dismissedName) !== null)
  const dismiss = () => {
    storage.set(dismissedName, 'dismissed')
    setDismissed(true)
    onDismiss()
  }
  const upgradeLabel = t`Upgrade to Creator Pro`
  if (isDismissed) return null
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
    <Box as="section" aria-labelledby="creator-pro" flexShrink="0" marginTop="1" paddingInline="4">
      <Box display="flex" alignItems="center" gap="4" marginBottom="-2" marginInlineEnd="-3">
        <Box as="span" color="gold.text" fontSize="xl" marginInline="0.125rem">
          <SparkIcon />
        </Box>
        <Box id="creator-pro" as="h2" flex="1" fontSize="md" fontWeight="medium" color="muted">
          {t`Creator Pro`}
        </Box>
        <IconButton label={t`Hide Creator Pro`} tooltip={false} onClick={dismiss}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Box textStyle="caption" color="muted" paddingInlineStart="10" css={{ [lowWindow]: { srOnly: true } }}>
        {summaryText(needsPayment)}
      </Box>
      <UpgradeButton variant="link" size="sm" paddingInline="0" marginInlineStart="10">
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

type UpgradeButtonProps = Pick<
  ButtonProps,
  'variant' | 'size' | 'marginTop' | 'paddingInline' | 'marginInlineStart' | 'alignSelf' | 'aria-label'
> & {
  children: ReactNode
}

/** Shows a button that opens the upgrade dialog. The button gets all props, including those that `Tooltip` adds. */
function UpgradeButton(props: UpgradeButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Button
      variant="outline"
      {...props}
      ref={button}
      color="gold.text"
      aria-haspopup="dialog"
      onClick={() => openUpgradeDialog(() => button.current)}
    />
  )
}
