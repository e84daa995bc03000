import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { bottomBarAttribute } from '@/ui/toaster'

/** Shows the actions for the selected rows of a list in a bar at the bottom of the screen. */
export function SelectionBar({
  label,
  status,
  notice,
  onClear,
  children,
}: {
  label: string
  /** How many rows are selected, or the progress of an action. False if the bar only shows a notice. */
  status: string | false
  /** Why an action failed for some of the rows. */
  notice?: ReactNode
  /** Clears the selection and the notice. Undefined while an action is running. */
  onClear: (() => void) | undefined
  /** The buttons. */
  children: ReactNode
}) {
  return (
    <Box
      {...bottomBarAttribute}
      role="region"
      aria-label={label}
      position="sticky"
      zIndex="sticky"
      bottom={{ base: 'calc({sizes.bottomBar} + env(safe-area-inset-bottom))', md: '0' }}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3"
      bg="raised"
      borderTopWidth="1px"
      borderBottomRadius={{ md: 'lg' }}
      boxShadow="mid"
    >
      {notice && (
        <Box
          role="alert"
          flexBasis="100%"
          maxHeight="8rem"
          overflowY="auto"
          textStyle="small"
          color="danger.text"
          overflowWrap="anywhere"
        >
          {notice}
        </Box>
      )}
      {onClear && (
        <IconButton label={status ? t`Clear selection` : t`Close`} onClick={onClear} marginInlineStart="-3">
          <CloseIcon />
        </IconButton>
      )}
      <Box role="status" textStyle="label" marginInlineEnd="auto" fontVariantNumeric="tabular-nums">
        {status}
      </Box>
      {children}
    </Box>
  )
}
