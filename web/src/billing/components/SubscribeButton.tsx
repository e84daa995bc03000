import { Box } from '@chakra-ui/react'
import type { UserCard, UserDetails } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { longDate } from '@/lib/time'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button, type ButtonProps } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon, StarIcon } from '@/ui/icons'
import { usePaymentsConfig } from '../payments'
import { isExpired, monthlyPriceText, useCancelSubscription, useSubscribe } from '../subscriptions'
import { PaymentMethodNotice } from './PaymentNotice'
import { IncludedPosts } from './SubscriptionBenefits'

/** A creator and the viewer's subscription to them. */
export type SubscribableUser = UserCard & Pick<UserDetails, 'subscription'>

/**
 * Shows 'Subscribe $9.99/mo' for a creator, or the state of the viewer's subscription. A click
 * opens a dialog, or the sign-in page for a visitor.
 *
 * @param secondary outlines the button, for places where it is not the main action
 * @param manageLabel replaces the state of the subscription, for places that show it beside the button
 */
export function SubscribeButton({
  user,
  secondary = false,
  manageLabel,
  ...props
}: { user: SubscribableUser; secondary?: boolean; manageLabel?: string } & Pick<
  ButtonProps,
  'flex' | 'size' | 'width' | 'aria-label'
>) {
  const { isAuthenticated } = useCurrentUser()
  const price = monthlyPriceText()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  // Does not change while the dialog is open: another button could otherwise appear under the pointer.
  const [subscription, setSubscription] = useState(user.subscription)
  const openDialog = () => {
    setSubscription(user.subscription)
    setOpen(true)
  }
  const dialogProps = { user, open, onClose: () => setOpen(false), finalFocus: () => button.current }
  return (
    <>
      <Button
        {...props}
        ref={button}
        {...narrowStyle}
        {...(user.subscription ? subscribedStyle : { variant: secondary ? 'outline' : 'gold' })}
        onClick={() => (isAuthenticated ? openDialog() : openLoginPage())}
      >
        {user.subscription && manageLabel ? (
          manageLabel
        ) : user.subscription ? (
          <>
            <CheckIcon /> {user.subscription.cancelled ? t`Subscription ends` : t`Subscribed`}
          </>
        ) : (
          <>
            <StarIcon /> {t`Subscribe ${price}/mo`}
          </>
        )}
      </Button>
      {subscription ? (
        <ManageSubscriptionDialog {...dialogProps} subscription={subscription} />
      ) : (
        <SubscribeDialog {...dialogProps} />
      )}
    </>
  )
}

const subscribedStyle = {
  variant: 'outline',
  bg: 'gold.wash',
  color: 'gold.text',
  borderColor: 'transparent',
} as const

/** Leaves room for a long label. The narrowest phones show no icon. */
const narrowStyle = {
  gap: '1.5',
  paddingInline: '3',
  css: { '@media (max-width: 374px)': { '& svg': { display: 'none' } } },
} as const

type DialogProps = {
  user: SubscribableUser
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks for confirmation before the first payment. The button is disabled until the payment mode is known. */
function SubscribeDialog({ user, open, onClose, finalFocus }: DialogProps) {
  const name = displayName(user)
  const subscribe = useSubscribe({ creatorId: user.id, name })
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  const price = monthlyPriceText()
  return (
    <Dialog
      open={open}
      onClose={() => !subscribe.isPending && onClose()}
      finalFocus={finalFocus}
      title={t`Subscribe`}
      description={
        <Trans>
          Support <bdi>{name}</bdi> every month.
        </Trans>
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={subscribe.isPending}>
            {payments === 'off' ? t`Close` : t`Cancel`}
          </Button>
          {payments !== 'off' && (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate('start', { onSuccess: onClose })}
              // Also disabled during the closing animation, so that a second click does not pay again.
              disabled={!payments || !open}
              pending={subscribe.isPending}
              pendingLabel={t`Subscribing…`}
            >
              {t`Pay ${price}`}
            </Button>
          )}
        </>
      }
    >
      <IncludedPosts creatorId={user.id} enabled={open} />
      <MonthlyPrice label={t`Billed monthly, cancel any time`} />
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}

/** Shows the viewer's subscription, with a button that cancels or resumes it. */
function ManageSubscriptionDialog({
  user,
  subscription,
  open,
  onClose,
  finalFocus,
}: DialogProps & { subscription: NonNullable<SubscribableUser['subscription']> }) {
  const name = displayName(user)
  const target = { creatorId: user.id, name, periodEnd: subscription.periodEnd }
  const { payments } = usePaymentsConfig(open)
  const subscribe = useSubscribe(target)
  const cancel = useCancelSubscription(target)
  const periodEnd = longDate(subscription.periodEnd)
  const isPending = subscribe.isPending || cancel.isPending
  return (
    <Dialog
      open={open}
      onClose={() => !isPending && onClose()}
      finalFocus={finalFocus}
      title={t`Your subscription`}
      description={
        subscription.cancelled ? (
          payments === 'off' ? (
            <Trans>
              You've cancelled. You keep subscriber access to <bdi>{name}</bdi> until {periodEnd}. Payments
              are turned off, so you can't resume your subscription.
            </Trans>
          ) : (
            <Trans>
              You've cancelled. You keep subscriber access to <bdi>{name}</bdi> until {periodEnd}.
            </Trans>
          )
        ) : isExpired(subscription.periodEnd) ? (
          <Trans>
            You're subscribed to <bdi>{name}</bdi>. This month is over, so cancelling ends it right away.
          </Trans>
        ) : payments === 'off' ? (
          <Trans>
            You're subscribed to <bdi>{name}</bdi>. Payments are turned off, and your subscription continues.
          </Trans>
        ) : (
          <Trans>
            You're subscribed to <bdi>{name}</bdi>. Renews on {periodEnd}.
          </Trans>
        )
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={isPending}>
            {t`Close`}
          </Button>
          {subscription.cancelled ? (
            payments !== 'off' && (
              <Button
                variant="gold"
                onClick={() => subscribe.mutate('resume', { onSuccess: onClose })}
                disabled={!open}
                pending={subscribe.isPending}
              >
                {t`Resume subscription`}
              </Button>
            )
          ) : (
            <Button
              variant="danger"
              onClick={() => cancel.mutate(undefined, { onSuccess: onClose })}
              disabled={!open}
              pending={cancel.isPending}
            >
              {t`Cancel subscription`}
            </Button>
          )}
        </>
      }
    >
      <MonthlyPrice label={subscription.cancelled ? t`Ends on ${periodEnd}` : t`Billed monthly`} />
    </Dialog>
  )
}

function MonthlyPrice({ label }: { label: string }) {
  return (
    <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
      <Box color="muted">{label}</Box>
      <Box textStyle="heading" fontVariantNumeric="tabular-nums">
        {monthlyPriceText()}
      </Box>
    </Box>
  )
}
