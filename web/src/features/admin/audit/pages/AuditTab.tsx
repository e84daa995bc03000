import { Box } from '@chakra-ui/react'
import { AuditLog } from '../components/AuditLog'
import { LogIntegrityCheck } from './LogIntegrityCheck'

/** What admins did, and whether the log of it is whole. */
export default function AuditTab() {
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <LogIntegrityCheck />
      <AuditLog />
    </Box>
  )
}
