import { Box } from '@chakra-ui/react'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { TextLink } from '@/ui/layout'
import { userTextParagraphs } from '@/ui/user-text-styles'

/** Where a read-only account could write: that it cannot, and why. `reason` is `OwnUser.readOnlyReason`. */
export function ReadOnlyNotice({ reason }: { reason: string }) {
  return (
    <Box
      display="flex"
      alignItems="flex-start"
      gap="2.5"
      padding="3.5"
      bg="sunken"
      borderRadius="md"
      textStyle="small"
      minWidth="0"
    >
      <Box as="span" marginTop="0.5" fontSize="lg" flexShrink={0} color="muted">
        <LockIcon />
      </Box>
      <Box minWidth="0" overflowWrap="anywhere">
        <Box as="strong" textStyle="label" display="block">
          Your account is read-only
        </Box>
        <Box {...userTextParagraphs}>{reason}</Box>
        <WhereToAppeal reason={reason} />
      </Box>
    </Box>
  )
}

/** The same in a line, where the banner above the screen says why. `what` cannot be done: 'post'. */
export function ReadOnlyHint({ what }: { what: string }) {
  return (
    <Box display="flex" alignItems="center" gap="2" minHeight="target" textStyle="small" color="muted">
      <LockIcon /> You cannot {what}: your account is read-only.
    </Box>
  )
}

/** A suspension comes of a decision, which can be read and appealed against; nothing else does. */
function WhereToAppeal({ reason }: { reason: string }) {
  if (!reason.startsWith('Suspended')) return null
  return (
    <TextLink to={paths.safety.getHref('decisions')} underlined>
      See the decision
    </TextLink>
  )
}
