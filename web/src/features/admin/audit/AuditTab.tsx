import { Box } from '@chakra-ui/react'
import { ChainCheck } from './ChainCheck'
import { LogSection } from './log/LogSection'

/** What admins did, and whether the log of it is whole. */
export default function AuditTab() {
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <ChainCheck />
      <LogSection />
    </Box>
  )
}
