import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { SparkIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'

const upgrade = 'Upgrade to Creator Pro'
/** Where the card would not fit with its text. */
const lowWindow = '@media (max-height: 760px)'

/** Beside the navigation of who is no creator: what Creator Pro brings, and where to switch it on; `compact` is the way there alone. */
export default function CreatorProCard({ compact = false }: { compact?: boolean }) {
  if (compact) {
    return (
      <Tooltip label={upgrade} side="right">
        <ButtonLink
          to={paths.settings.getHref('profile')}
          variant="gold"
          size="icon"
          alignSelf="center"
          marginTop="4"
          aria-label={upgrade}
        >
          <SparkIcon />
        </ButtonLink>
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
        A creator’s ring and badge, and the way into Analytics and Earnings. No money moves today.
      </Box>
      <ButtonLink to={paths.settings.getHref('profile')} variant="gold" size="sm" width="100%" marginTop="3">
        {upgrade}
      </ButtonLink>
    </Box>
  )
}
