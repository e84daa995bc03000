import { Box } from '@chakra-ui/react'
import { SessionTimeout } from '@contract/user.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { SelectField } from '@/ui/Field'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { Switch } from '@/ui/Switch'
import { ErrorState } from '@/ui/states'
import { sessionsQuery, useEndOtherSessions } from '../api/account'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { NotificationSwitch } from './NotificationsTab'
import { SessionRow, sessionsHeadingId } from './SessionRow'
import { SettingsPanel, SettingsSection } from './SettingsSection'

/** Shows active sessions, login alerts, the session timeout, and links to change the email address and the password. */
export function SecurityTab() {
  const { user } = useCurrentUser()
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <Card as="section" aria-labelledby={sessionsHeadingId} paddingBlock={{ base: '4', md: '6' }}>
        <Box paddingInline={{ base: '4', md: '6' }}>
          <Box as="h2" id={sessionsHeadingId} tabIndex={-1} textStyle="title" borderRadius="xs">
            Active sessions
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            Where you are signed in. End what you do not know, and then change your password.
          </Box>
        </Box>
        <Sessions />
      </Card>
      <SettingsSection title="Login alerts">
        <NotificationSwitch
          name="loginAlerts"
          label="Tell me of new sign-ins"
          hint="A notification, and a mail if you want mails, when somebody signs in to your account from a device it does not know."
        />
      </SettingsSection>
      <SettingsSection title="Session timeout">
        <SessionTimeoutField />
      </SettingsSection>
      <SettingsSection title="Second step">
        <Switch
          label="Two-factor authentication"
          hint="Not there yet: signing in cannot ask for a second step so far. Until then, choose a password that you use nowhere else."
          checked={false}
          disabled
          onChange={() => undefined}
        />
      </SettingsSection>
      <SettingsPanel
        title="Email address"
        text={<EmailText />}
        action={
          <ButtonLink to={paths.settings.getHref('profile', 'email')} variant="outline">
            Change email
          </ButtonLink>
        }
      />
      <SettingsPanel
        title="Password"
        text="A link to choose a new one is sent to your email address."
        action={
          <ButtonLink
            to={paths.forgotPassword.getHref()}
            // Prefills the email field.
            state={{ email: user?.email }}
            variant="outline"
          >
            Change password
          </ButtonLink>
        }
      />
    </Box>
  )
}

function EmailText() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <Box as="span" overflowWrap="anywhere">
      {user.pendingEmail
        ? `${user.email}, until the link in our mail to ${user.pendingEmail} is followed.`
        : `${user.email}. Another one takes effect once you follow the link that we mail to it.`}
    </Box>
  )
}

function Sessions() {
  const sessions = useQuery(sessionsQuery)
  if (sessions.isPending) return <SessionsSkeleton />
  if (sessions.isError && !sessions.data) {
    return <ErrorState message="Your sessions did not load." onRetry={() => void sessions.refetch()} />
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

/** Stays mounted without other sessions, so that its dialog can close and move the focus. */
function EndOtherSessions({ count }: { count: number }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const endSessions = useEndOtherSessions()
  return (
    <>
      {count > 0 ? (
        <Button ref={button} variant="outline" onClick={() => setDialogOpen(true)}>
          Log out everywhere else
        </Button>
      ) : (
        <Box textStyle="small" color="muted">
          You are signed in nowhere else.
        </Box>
      )}
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => endSessions.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={endSessions.isPending}
        finalFocus={() => button.current ?? document.getElementById(sessionsHeadingId)}
        title="Log out everywhere else?"
        text={`${count === 1 ? 'One other session ends' : `${count} other sessions end`} at once. You stay signed in here.`}
        confirmLabel="Log out"
      />
    </>
  )
}

function SessionsSkeleton() {
  return (
    <Loading label="Loading sessions" marginTop="3">
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

const timeoutOptions = [
  { value: '15', label: '15 minutes' },
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: 'never', label: 'Never' },
]

/** Shows the choice of the idle time after which the browser signs the user out. Saved when it changes. */
function SessionTimeoutField() {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  return (
    <SelectField
      label="Sign me out when I am away for"
      hint="Counts in each browser by itself, over all its tabs. You are warned a minute before."
      value={String(user.sessionTimeout ?? 'never')}
      onChange={({ target: { value } }) => {
        const minutes = SessionTimeout.safeParse(Number(value))
        save({ section: 'security', fields: { sessionTimeout: minutes.success ? minutes.data : null } })
      }}
    >
      {timeoutOptions.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
