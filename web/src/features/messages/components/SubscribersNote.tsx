import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { MegaphoneIcon } from '@/ui/icons'

/** Says below a message that all of the sender's subscribers got it. */
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
