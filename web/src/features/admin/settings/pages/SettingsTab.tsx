import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '@/lib/errors'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { Section } from '../../components/Section'
import { settingsQuery } from '../api'
import { AccountsSection } from '../components/AccountsSection'
import { AutoPostingSection } from '../components/AutoPostingSection'

/** Shows the settings of this instance. */
export default function SettingsTab() {
  const { data, error, isError, refetch } = useQuery(settingsQuery)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      {!data && isError && (
        <Card>
          <ErrorState
            message={errorMessage(error, t`Couldn't load the settings. Try again.`)}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {!data && !isError && (
        <Loading label={t`Loading settings`}>
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

/** Lists tasks that the operator performs on the server. See docs/guides/configure-a-community.md. */
function OperatorNotes() {
  return (
    <Section title={t`On the server`} text={t`Some tasks are done on the server that the platform runs on.`}>
      <Box as="dl" display="grid" gap="5">
        <Task name={t`Add an admin`}>
          <Trans>In the directory of the platform; on Supabase, call private.grant_admin in SQL:</Trans>
          <Code>npm run make-admin -- you@example.com</Code>
        </Task>
        <Task name={t`Check the health`}>
          <Trans>Returns 503 with the name of the part that fails, if there is one:</Trans>
          <Code>GET /api/health</Code>
        </Task>
        <Task name={t`Browse the data`}>
          <Trans>
            The studio runs SQL and shows tables, users, files, logs, jobs and slow queries. It can be opened
            only on the server itself, with the secret in its address.
          </Trans>
        </Task>
        <Task name={t`Read outgoing emails`}>
          <Trans>
            Without a mail server, outgoing emails stay in the mailbox. Its address is printed at startup.
          </Trans>
        </Task>
      </Box>
    </Section>
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
