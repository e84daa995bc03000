import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { useResendEmailConfirmation } from '../api/save-profile'
import { useRestoreFocus } from '../useRestoreFocus'
import { FieldGrid, ProfileBioField, ProfileTextField } from './ProfileFields'
import { SettingsSection } from './SettingsSection'

/** What a person is called, and how they are reached. */
export function IdentitySection() {
  return (
    <>
      <SettingsSection title="Who you are" text="Everybody sees your names. Your bio is on your profile.">
        <FieldGrid>
          <ProfileTextField name="fullName" label="Full name" autoComplete="name" />
          <ProfileTextField
            name="username"
            label="Username"
            // Signing in is by email: `username` here would have password managers keep the wrong name.
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            hint="Letters, numbers, and underscores"
          />
          <ProfileTextField name="firstName" label="First name" autoComplete="given-name" />
          <ProfileTextField name="lastName" label="Last name" autoComplete="family-name" />
          <Box gridColumn="1 / -1">
            <ProfileBioField />
          </Box>
        </FieldGrid>
      </SettingsSection>
      <SettingsSection title="How to reach you" text="Only you and the people who run this site see these.">
        <FieldGrid>
          <div>
            <ProfileTextField
              name="email"
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              hint={<EmailHint />}
            />
            <SendAgain />
          </div>
          <ProfileTextField
            name="phoneNumber"
            label="Phone number"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
          />
        </FieldGrid>
      </SettingsSection>
    </>
  )
}

/** An address takes effect when the link in the mail to it is followed. */
function EmailHint() {
  const { user } = useCurrentUser()
  if (!user?.pendingEmail) return <>Another address counts once you have confirmed it by mail.</>
  return (
    <Box as="span" overflowWrap="anywhere">
      Confirm {user.pendingEmail} by the mail we sent. Until then your address stays {user.email}; enter that
      again to take the change back.
    </Box>
  )
}

/** The mail to the address that waits, once more: it may have been lost. */
function SendAgain() {
  const { user } = useCurrentUser()
  const { mutate, isPending } = useResendEmailConfirmation()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isPending, () => button.current)
  const wanted = user?.pendingEmail
  if (!wanted) return null
  return (
    <Button
      ref={button}
      size="sm"
      variant="outline"
      marginTop="2"
      aria-label={`Send again: the mail to ${wanted}`}
      pending={isPending}
      onClick={() => mutate(wanted)}
    >
      Send again
    </Button>
  )
}
