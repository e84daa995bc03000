import { Box } from '@chakra-ui/react'
import { emailConfirmationRequired } from '@contract/errors.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useMatch } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { userStorage } from '@/lib/storage'
import { Button, ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { AtIcon, CloseIcon } from '@/ui/icons'
import { Banner, Notice } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { addressToConfirm, useResendConfirmation } from '../email-confirmation'
import { useCurrentUser } from '../session'

/** Shows the button that sends another confirmation link. */
export function ResendConfirmationButton({ user, size = 'sm' }: { user: OwnUser; size?: 'sm' | 'md' }) {
  const { mutate, isPending } = useResendConfirmation()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isPending, () => button.current)
  const address = addressToConfirm(user)
  return (
    <Button
      ref={button}
      size={size}
      variant="outline"
      aria-label={t`Send again: email to ${address}`}
      pending={isPending}
      onClick={() => mutate()}
    >
      {t`Send again`}
    </Button>
  )
}

/** Shows what an unconfirmed user cannot do yet, and how to confirm the address. */
export function ConfirmationNotice({ user }: { user: OwnUser }) {
  const address = addressToConfirm(user)
  return (
    <Notice icon={<AtIcon />} title={t`Confirm your email address`}>
      {user.readOnlyReason === emailConfirmationRequired
        ? t`We sent a link to ${address}. Until you open it, you can look around but not post, comment or message anyone.`
        : t`We sent a link to ${address}. Until you open it, you can’t sell, request payouts, or message people who don’t follow you.`}
      <Box display="flex" flexWrap="wrap" gap="2" marginTop="2.5">
        <ResendConfirmationButton user={user} />
        <ButtonLink to={paths.settings.getHref('account', 'email')} size="sm" variant="ghost">
          {t`Change the address`}
        </ButtonLink>
      </Box>
    </Notice>
  )
}

/** The storage name for the day on which the user last closed the banner. */
const closedOnKey = 'confirmation-banner-closed'

const today = () => new Date().toLocaleDateString('en-CA')

/**
 * Asks an unconfirmed user to confirm their email address, above every screen except messages and the welcome steps.
 * The user can close the banner for the rest of the day. A read-only account has a banner of its own.
 */
export function ConfirmationBanner() {
  const { user } = useCurrentUser()
  const isMessages = useMatch(paths.messages.path) !== null
  const isWelcome = useMatch(paths.welcome.path) !== null
  const [closedOn, setClosedOn] = useState<string | null>(null)
  const isNeeded = user !== null && !user.emailConfirmed && !user.readOnlyReason
  const isClosed = isNeeded && [closedOn, userStorage(user.id).get(closedOnKey)].includes(today())
  const close = () => {
    if (!user) return
    userStorage(user.id).set(closedOnKey, today())
    setClosedOn(today())
  }
  return (
    // Always rendered: screen readers do not announce a live region that is added together with its text.
    <div role="status">
      {isNeeded && !isClosed && !isMessages && !isWelcome && (
        <Banner label={t`Unconfirmed email address`}>
          <ConfirmationNotice user={user} />
          <Box position="absolute" top="0.5" insetEnd="0.5">
            <IconButton label={t`Hide until tomorrow`} variant="quiet" onClick={close}>
              <CloseIcon />
            </IconButton>
          </Box>
        </Banner>
      )}
    </div>
  )
}
