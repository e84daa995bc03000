import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type ReactNode, useRef } from 'react'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button, ButtonLink, type ButtonProps } from '@/ui/Button'
import { SparkIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'
import { openUpgradeDialog, useNeedsCreatorPro } from '../creator-pro'

const upgrade = 'Upgrade to Creator Pro'
/** Where the card would not fit with its text. */
const lowWindow = '@media (max-height: 760px)'

/**
 * Beside the navigation of who is no creator: what Creator Pro brings, and where to switch it on, or pay for it where
 * that is to be done; `compact` is the way there alone.
 */
export default function CreatorProCard({ compact = false }: { compact?: boolean }) {
  const mustPay = useNeedsCreatorPro()
  if (compact) {
    return (
      <Tooltip label={upgrade} side="right">
        <Way mustPay={mustPay} size="icon" alignSelf="center" marginTop="4" aria-label={upgrade}>
          <SparkIcon />
        </Way>
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
        Creator Pro
      </Box>
      <Box textStyle="small" color="muted" marginTop="1.5" css={{ [lowWindow]: { srOnly: true } }}>
        A creator’s ring and badge, and the way into Analytics and Earnings.
        {/* Nothing is said of money before it is known. */}
        {mustPay === true && ` ${dollars(limits.creatorProPrice)} a month.`}
        {mustPay === false && ' No money moves today.'}
      </Box>
      <Way mustPay={mustPay} size="sm" width="100%" marginTop="3">
        {upgrade}
      </Way>
    </Box>
  )
}

type WayProps = Pick<ButtonProps, 'size' | 'width' | 'marginTop' | 'alignSelf' | 'aria-label'> & {
  mustPay: boolean | undefined
  children: ReactNode
}

/** To the switch in the profile's form, or to the payment. What else it is given, a tooltip's wishes say, it hands on. */
function Way({ mustPay, ...props }: WayProps) {
  const button = useRef<HTMLButtonElement>(null)
  if (mustPay) {
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
  return <ButtonLink {...props} to={paths.settings.getHref('profile')} variant="gold" />
}
