import { Box } from '@chakra-ui/react'
import { SessionTimeout } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ResendConfirmationButton } from '@/session/components/EmailConfirmation'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { ChangePasswordDialog } from './ChangePasswordDialog'
import { NotificationSwitch } from './NotificationsTopic'
import { SettingsPanel, SettingsSection } from './SettingsSection'

/** Shows the settings for login alerts and session timeout, and buttons to change the email address and password. */
export function SecurityTopic() {
  return (
    <>
      <SettingsPanel
        title={t`Active sessions`}
        text={t`See where you’re signed in, and log out other devices.`}
        action={
          <ButtonLink to={paths.settings.getHref('sessions')} variant="outline">
            {t`Show sessions`}
          </ButtonLink>
        }
      />
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
            <ButtonLink to={paths.settings.getHref('account', 'email')} variant="outline">
              {t`Change email`}
            </ButtonLink>
          </Box>
        }
      />
      <PasswordPanel />
    </>
  )
}

/** While an address is unconfirmed, shows a button that resends the confirmation email. */
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

/** Formats 30 as '30 minutes' and 240 as '4 hours'. */
function timeoutLabel(minutes: number): string {
  const unitOptions = { style: 'unit', unitDisplay: 'long' } as const
  return minutes < 60
    ? numberFormat({ ...unitOptions, unit: 'minute' }).format(minutes)
    : numberFormat({ ...unitOptions, unit: 'hour' }).format(minutes / 60)
}

/** Shows the setting for the idle time after which the browser signs the user out. Each change is saved immediately. */
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
