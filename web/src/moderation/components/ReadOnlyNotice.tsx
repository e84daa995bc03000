import { Box } from '@chakra-ui/react'
import { emailConfirmationRequired } from '@contract/errors.ts'
import type { OwnUser } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useMatch } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { ConfirmationNotice } from '@/session/components/EmailConfirmation'
import { useCurrentUser } from '@/session/session'
import { LockIcon } from '@/ui/icons'
import { Banner, Notice, TextLink } from '@/ui/layout'
import { userTextParagraphs } from '@/ui/UserText'
import { readOnlyReasonText } from '../read-only'

/** Shows that the user's account is read-only, and why. */
export function ReadOnlyNotice({ user }: { user: OwnUser }) {
  if (user.readOnlyReason === emailConfirmationRequired) return <ConfirmationNotice user={user} />
  return (
    <Notice icon={<LockIcon />} title={t`Your account is read-only`}>
      <Box {...userTextParagraphs}>{readOnlyReasonText(user)}</Box>
      {/* Only a suspension results from a decision that the user can read and appeal. */}
      {user.suspension && (
        <TextLink to={paths.safety.getHref('decisions')} underlined>
          {t`See the decision`}
        </TextLink>
      )}
    </Notice>
  )
}

/** Shows the notice above every screen except messages if the user's account is read-only. */
export function ReadOnlyBanner() {
  const { user } = useCurrentUser()
  // The messages screen fills the window and shows the notice in place of the composer.
  const isMessages = useMatch(paths.messages.path) !== null
  return (
    // Always rendered: screen readers do not announce a live region that is added together with its text.
    <div role="status">
      {user?.readOnlyReason && !isMessages && (
        <Banner label={t`Read-only account`}>
          <ReadOnlyNotice user={user} />
        </Banner>
      )}
    </div>
  )
}

const hints = {
  post: msg`You can’t post because your account is read-only.`,
  comment: msg`You can’t comment because your account is read-only.`,
  reply: msg`You can’t reply because your account is read-only.`,
} satisfies Record<string, MessageDescriptor>

/** Shows in one line what the user cannot do. The reason is in the `ReadOnlyBanner`. */
export function ReadOnlyHint({ what }: { what: keyof typeof hints }) {
  return (
    <Box display="flex" alignItems="center" gap="2" minHeight="target" textStyle="small" color="muted">
      <LockIcon /> {t(hints[what])}
    </Box>
  )
}
