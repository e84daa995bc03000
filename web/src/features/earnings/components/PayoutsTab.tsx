import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { NextPayout } from './NextPayout'
import { PayoutHistory } from './PayoutHistory'
import { PayoutMethods } from './PayoutMethods'
import { RequestPayoutDialog } from './RequestPayoutDialog'

/** How and when the creator is paid, and what was paid so far. */
export function PayoutsTab() {
  const [asking, setAsking] = useState(false)
  const grid = { display: 'grid', gap: { base: '2', md: '4' }, alignItems: 'start' }
  return (
    <Box css={grid}>
      <Box css={{ ...grid, gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 2fr) minmax(0, 1fr)' } }}>
        <PayoutMethods />
        <NextPayout onRequest={() => setAsking(true)} />
      </Box>
      <PayoutHistory />
      <RequestPayoutDialog open={asking} onClose={() => setAsking(false)} />
    </Box>
  )
}
