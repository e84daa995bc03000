import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { MegaphoneIcon } from '@/ui/icons'

/** Shows below a message that it was sent to all of the sender's subscribers. */
export function SubscribersNote({ own }: { own: boolean }) {
  return (
    <Box
      textStyle="caption"
      color="muted"
      display="flex"
      alignItems="center"
      justifyContent={own ? 'flex-end' : 'flex-start'}
      gap="1"
      marginTop="1"
      paddingInline="1"
    >
      <MegaphoneIcon /> {t`Sent to all subscribers`}
    </Box>
  )
}
