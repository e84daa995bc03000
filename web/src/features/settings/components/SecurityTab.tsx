import { Box } from '@chakra-ui/react'
import { SessionTimeout } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ResendConfirmationButton } from '@/session/components/EmailConfirmation'
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
import { ChangePasswordDialog } from './ChangePasswordDialog'
import { NotificationSwitch } from './NotificationsTab'
import { SessionRow, sessionsHeadingId } from './SessionRow'
import { SettingsPanel, SettingsSection } from './SettingsSection'

/** Shows active sessions, login alerts, the session timeout, and how to change the email address and the password. */
export function SecurityTab() {
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
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
      <SettingsSection title={t`Login alerts`}>
        <NotificationSwitch
          name="loginAlerts"
          label={t`New sign-ins`}
          hint={t`We’ll notify you when someone signs in from a new device or creates an access token.`}
        />
      </SettingsSection>
      <SettingsSection title={t`Session timeout`}>
        <SessionTimeoutField />
      </SettingsSection>
      <SettingsSection title={t`Extra security`}>
        <Switch
          label={t`Two-factor authentication`}
          hint={t`Coming soon. Until then, use a strong password you don’t use anywhere else.`}
          checked={false}
          disabled
          onChange={() => undefined}
        />
      </SettingsSection>
      <SettingsPanel
        title={t`Email address`}
        text={<EmailText />}
        action={
          <Box display="flex" flexWrap="wrap" alignItems="center" gap="2">
            <ResendLink />
            <ButtonLink to={paths.settings.getHref('profile', 'email')} variant="outline">
              {t`Change email`}
            </ButtonLink>
          </Box>
        }
      />
      <PasswordPanel />
    </Box>
  )
}

/** Shows the button that sends the confirmation link again while an address waits for confirmation. */
function ResendLink() {
  const { user } = useCurrentUser()
  if (!user || (!user.pendingEmail && user.emailConfirmed)) return null
  return <ResendConfirmationButton user={user} size="md" />
}

function PasswordPanel() {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <SettingsPanel
      title={t`Password`}
      text={t`Changing it logs you out on all other devices and revokes your access tokens.`}
      action={
        <Button ref={button} variant="outline" aria-haspopup="dialog" onClick={() => setDialogOpen(true)}>
          {t`Change password`}
        </Button>
      }
    >
      <ChangePasswordDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => button.current}
      />
    </SettingsPanel>
  )
}

function EmailText() {
  const { user } = useCurrentUser()
  if (!user) return null
  const { email, pendingEmail, emailConfirmed } = user
  if (!pendingEmail && !emailConfirmed) {
    return (
      <Box as="span" overflowWrap="anywhere">
        {t`Signed in as ${email}. To confirm this address, follow the link we sent there.`}
      </Box>
    )
  }
  return (
    <Box as="span" overflowWrap="anywhere">
      {pendingEmail
        ? t`Signed in as ${email}. To switch to ${pendingEmail}, follow the link we sent there.`
        : t`Signed in as ${email}. We’ll send a confirmation link to any new address.`}
    </Box>
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

/** Stays mounted without other sessions, so that its dialog can close and move the focus. */
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

/** Formats 30 as '30 minutes' and 240 as '4 hours'. */
function timeoutLabel(minutes: number): string {
  const unitOptions = { style: 'unit', unitDisplay: 'long' } as const
  return minutes < 60
    ? numberFormat({ ...unitOptions, unit: 'minute' }).format(minutes)
    : numberFormat({ ...unitOptions, unit: 'hour' }).format(minutes / 60)
}

/** Shows the choice of the idle time after which the browser signs the user out. Saved when it changes. */
function SessionTimeoutField() {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  return (
    <SelectField
      label={t`Log out when inactive for`}
      hint={t`Applies per browser, across all tabs. We’ll warn you one minute before.`}
      value={String(user.sessionTimeout ?? 'never')}
      onChange={({ target: { value } }) => {
        const minutes = SessionTimeout.safeParse(Number(value))
        save({ section: 'security', fields: { sessionTimeout: minutes.success ? minutes.data : null } })
      }}
    >
      {SessionTimeout.options.map(({ value: minutes }) => (
        <option key={minutes} value={minutes}>
          {timeoutLabel(minutes)}
        </option>
      ))}
      <option value="never">{t`Never`}</option>
    </SelectField>
  )
}
