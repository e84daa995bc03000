import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { userTextLine } from '@/ui/user-text-styles'

/** Says above the box which message is answered or changed, and lets go of it. */
export function ComposerContextBar({
  title,
  excerpt,
  cancelLabel,
  onCancel,
}: {
  title: ReactNode
  excerpt: string
  cancelLabel: string
  onCancel: () => void
}) {
  return (
    <Box display="flex" alignItems="center" gap="2" paddingInlineStart="3" paddingTop="2">
      <Box
        flex="1"
        minWidth="0"
        borderInlineStartWidth="3px"
        borderColor="ember.ring"
        paddingInlineStart="3"
        textStyle="small"
      >
        <Box truncate fontWeight="semibold" color="ember.text">
          {title}
        </Box>
        <Box truncate color="muted" {...userTextLine}>
          {excerpt}
        </Box>
      </Box>
      <IconButton label={cancelLabel} tooltip={false} onClick={onCancel}>
        <CloseIcon />
      </IconButton>
    </Box>
  )
}
