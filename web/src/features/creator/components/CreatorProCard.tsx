import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { SparkIcon } from '@/ui/icons'

/** Beside the navigation of who is no creator: what Creator Pro brings, and where to switch it on. */
export default function CreatorProCard() {
  return (
    <Box
      as="section"
      aria-labelledby="creator-pro"
      flexShrink="0"
      marginTop="5"
      marginBottom="4"
      padding="4"
      bg="gold.wash"
      borderRadius="lg"
    >
      <Box id="creator-pro" as="h2" display="flex" alignItems="center" gap="2" textStyle="label">
        <Box as="span" color="gold.text" fontSize="lg">
          <SparkIcon />
        </Box>
        Creator Pro
      </Box>
      <Box textStyle="small" color="muted" marginTop="1.5" marginBottom="3">
        A creator’s ring and badge, and the way into Analytics and Earnings. No money moves today.
      </Box>
      <ButtonLink to={paths.settings.getHref('profile')} variant="gold" size="sm" width="100%">
        Upgrade to Creator Pro
      </ButtonLink>
    </Box>
  )
}
