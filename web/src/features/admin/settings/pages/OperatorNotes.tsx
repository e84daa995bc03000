import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

const Code = chakra('code', {
  base: {
    display: 'block',
    marginTop: '2',
    paddingInline: '3',
    paddingBlock: '2',
    bg: 'sunken',
    borderRadius: 'sm',
    fontFamily: 'mono',
    fontSize: 'sm',
    overflowWrap: 'anywhere',
  },
})

/** What is done on the machine itself, and not here. More of it is in docs/guides/run-on-one-machine.md. */
export function OperatorNotes() {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box as="h2" id={id} textStyle="title">
        On the machine
      </Box>
      <Box textStyle="small" color="muted" marginTop="0.5">
        Some things are done by the operator, where the platform runs.
      </Box>
      <Box as="dl" display="grid" gap="5" marginTop="5">
        <Task name="Name an admin">
          In the studio, whose address is printed at the start, or with any PostgreSQL client:
          <Code>select private.grant_admin('you@example.com');</Code>
        </Task>
        <Task name="See whether all is well">
          One address answers for every part, 503 with the name of one that fails:
          <Code>GET /api/health</Code>
        </Task>
        <Task name="Look at data">
          The studio shows every table. It is open on the machine itself only, with the secret in its address.
        </Task>
        <Task name="Read mails">
          Without a mail server set up, every mail that goes out stays in the mailbox, whose address is
          printed at the start as well.
        </Task>
      </Box>
    </Card>
  )
}

function Task({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" textStyle="label">
        {name}
      </Box>
      <Box as="dd" textStyle="small" color="muted">
        {children}
      </Box>
    </div>
  )
}
