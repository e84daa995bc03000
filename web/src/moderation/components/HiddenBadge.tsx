import { Box } from '@chakra-ui/react'
import { Trans } from '@lingui/react/macro'
import { paths } from '@/lib/paths'
import { EyeOffIcon } from '@/ui/icons'
import { TextLink } from '@/ui/layout'

/** Marks a hidden post or comment, which only its author can see, with a link to the moderators' decision. */
export function HiddenBadge() {
  return (
    <Box display="flex" alignItems="flex-start" gap="1.5" textStyle="small" color="muted" marginBlock="1">
      <Box as="span" marginTop="0.5" flexShrink={0}>
        <EyeOffIcon />
      </Box>
      <span>
        <Trans>
          Hidden by moderators. Only you can see it.{' '}
          <TextLink to={paths.safety.getHref('decisions')} underlined>
            See why
          </TextLink>
        </Trans>
      </span>
    </Box>
  )
}
