import { Box, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { errorMessage } from '@/lib/api'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { settingsQuery } from '../api'
import { AutoPostingSection } from '../components/AutoPostingSection'
import { AccountsSection } from '../components/SettingsSection'

/** Shows the settings of this instance. */
export default function SettingsTab() {
  const { data, error, isError, refetch } = useQuery(settingsQuery)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      {!data && isError && (
        <Card>
          <ErrorState
            message={errorMessage(error, 'The settings did not load.')}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {!data && !isError && (
        <Loading label="Loading the settings">
          <Card padding={{ base: '4', md: '5' }}>
            <Skeleton height="5" width="8rem" />
            <SkeletonText lines={5} marginTop="5" />
          </Card>
        </Loading>
      )}
      {data && (
        <>
          <AccountsSection settings={data} />
          <AutoPostingSection settings={data} />
        </>
      )}
      <OperatorNotes />
    </Box>
  )
}

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

/** Lists tasks that the operator does on the server. See docs/guides/run-on-one-machine.md. */
function OperatorNotes() {
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
