import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'

/** What each way to pay has to say for itself. */
const notes: Record<Config['payments'], string> = {
  test: 'This is a test payment: no money moves.',
  stripe: 'You pay on the page of our payment provider and come back here.',
  off: 'Payments are switched off here, so nothing can be bought at the moment.',
}

/** Says before a payment how it is made, and whether money moves. */
export function PaymentNote({ payments }: { payments: Config['payments'] }) {
  return (
    <Box textStyle="small" color="muted">
      {notes[payments]}
    </Box>
  )
}
