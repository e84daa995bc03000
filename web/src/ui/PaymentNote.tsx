import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'

/** What each way to pay has to say for itself. */
const notes: Record<Config['payments'], string> = {
  test: 'This is a test payment: no money moves.',
  stripe: 'You pay on the page of our payment provider and come back here.',
  off: 'Payments are switched off here, so nothing can be bought at the moment.',
}

/** What each has to say where money that was earned is shown or paid out. */
const earningsNotes: Record<Config['payments'], string | null> = {
  test: 'Payments are in test mode here: no money moves.',
  stripe: null,
  off: 'Payments are switched off here, so nothing can be sold at the moment.',
}

/** Says before a payment, or beside what was earned, how it is paid and whether money moves. */
export function PaymentNote({
  payments,
  beside = 'payment',
}: {
  payments: Config['payments']
  beside?: 'payment' | 'earnings'
}) {
  const note = beside === 'earnings' ? earningsNotes[payments] : notes[payments]
  if (!note) return null
  return (
    <Box textStyle="small" color="muted">
      {note}
    </Box>
  )
}
