import { Box } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { sessionsQuery, useEndOtherSessions } from '../api/account'
import { SessionRow, sessionsHeadingId } from './SessionRow'

/** Shows the devices on which the user is signed in, with buttons to end their sessions. */
export function SessionsTopic() {
  return (
    <Card as="section" aria-labelledby={sessionsHeadingId} paddingBlock={{ base: '4', md: '6' }}>
      <Box paddingInline={{ base: '4', md: '6' }}>
        <Box as="h2" id={sessionsHeadingId} tabIndex={-1} textStyle="title" borderRadius="xs">
          {t`Active sessions`}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {t`Devices signed in to your account. Don’t recognize one? Log it out, then change your password.`}
        </Box>
      </Box>
      <Sessions />
    </Card>
  )
}

function Sessions() {
  const sessions = useQuery(sessionsQuery)
  if (sessions.isPending) return <SessionsSkeleton />
  if (sessions.isError && !sessions.data) {
    return (
      <ErrorState message={t`Couldn't load sessions. Try again.`} onRetry={() => void sessions.refetch()} />
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none" marginTop="3">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Box>
      <Box paddingInline={{ base: '4', md: '6' }} marginTop="3">
        <EndOtherSessions count={sessions.data.length - 1} />
      </Box>
    </>
  )
}

/** Stays mounted even when no other sessions are left, so that its dialog can close and move the focus. */
function EndOtherSessions({ count }: { count: number }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const endSessions = useEndOtherSessions()
  return (
    <>
      {count > 0 ? (
        <Button ref={button} variant="outline" onClick={() => setDialogOpen(true)}>
          {t`Log out everywhere else`}
        </Button>
      ) : (
        <Box textStyle="small" color="muted">
          {t`You aren’t signed in on any other device.`}
        </Box>
      )}
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => endSessions.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={endSessions.isPending}
        finalFocus={() => button.current ?? document.getElementById(sessionsHeadingId)}
        title={t`Log out everywhere else?`}
        text={t`${plural(count, {
          one: 'This ends # other session. You stay signed in here.',
          other: 'This ends # other sessions. You stay signed in here.',
        })}`}
        confirmLabel={t`Log out`}
      />
    </>
  )
}

function SessionsSkeleton() {
  return (
    <Loading label={t`Loading sessions`} marginTop="3">
      {['first', 'second'].map((row) => (
        <Box
          key={row}
          display="flex"
          alignItems="center"
          gap="4"
          paddingInline={{ base: '4', md: '6' }}
          paddingBlock="3.5"
        >
          <SkeletonCircle size="10" />
          <Box flex="1">
            <Skeleton height="3.5" width="40%" />
            <Skeleton height="3" width="60%" marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
