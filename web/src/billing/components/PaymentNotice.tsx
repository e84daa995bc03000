import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'

type Notes = Record<Config['payments'], string | null>

const inTest = 'Payments are in test mode here: no money moves.'
const nothingBought = 'Payments are switched off here, so nothing can be bought at the moment.'

const notes = {
  /** What each way to pay has to say for itself before a payment. */
  payment: {
    test: 'This is a test payment: no money moves.',
    stripe: 'You pay on the page of our payment provider and come back here.',
    off: nothingBought,
  },
  /** Where it is shown what was bought, or is bought by the month. */
  purchases: { test: inTest, stripe: null, off: nothingBought },
  /** Where money that was earned is shown or paid out. */
  earnings: {
    test: inTest,
    stripe: null,
    off: 'Payments are switched off here, so nothing can be sold at the moment.',
  },
} satisfies Record<string, Notes>

/** Says before a payment, or beside what was bought or earned, how it is paid and whether money moves. */
export function PaymentNotice({
  payments,
  beside = 'payment',
}: {
  payments: Config['payments']
  beside?: keyof typeof notes
}) {
  const note = notes[beside][payments]
  if (!note) return null
  return (
    <Box textStyle="small" color="muted">
      {note}
    </Box>
  )
}
