import { Box } from '@chakra-ui/react'
import type { SubscriptionMonths } from '@contract/common.ts'
import { limits } from '@contract/limits.ts'
import type { SubscriptionOffer } from '@contract/payment.ts'
import type { UserCard, UserDetails } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { dollars, formatPercent } from '@/lib/format'
import { displayName } from '@/lib/text'
import { addMonths, longDate } from '@/lib/time'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button, type ButtonProps } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon, ChevronDownIcon, StarIcon } from '@/ui/icons'
import { Menu, MenuGroup, MenuItem } from '@/ui/Menu'
import { RadioGroup } from '@/ui/RadioGroup'
import { usePaymentsConfig } from '../payments'
import {
  isExpired,
  monthlyPriceText,
  subscriptionOfferQuery,
  useCancelSubscription,
  useSubscribe,
} from '../subscriptions'
import { PaymentMethodNotice } from './PaymentNotice'
import { IncludedPosts, useSubscriptionTerms } from './SubscriptionBenefits'

/** A creator and the viewer's subscription to them. */
export type SubscribableUser = UserCard & Pick<UserDetails, 'subscription'>

/**
 * Shows 'Subscribe $9.99/mo' for a creator, or the state of the viewer's subscription. A click opens a dialog, or the
 * sign-in page for a visitor. The state is a small button that opens a menu. `props` do not apply to it.
 *
 * @param secondary outlines the button, for places where it is not the main action
 * @param withLengths whether to list, below the button, the longer periods that the creator offers
 * @param manageLabel the label of a button that replaces the menu, for places that show the state beside the button
 */
export function SubscribeButton({
  user,
  secondary = false,
  withLengths = false,
  manageLabel,
  ...props
}: { user: SubscribableUser; secondary?: boolean; withLengths?: boolean; manageLabel?: string } & Pick<
  ButtonProps,
  'flex' | 'size' | 'width' | 'aria-label'
>) {
  const { isAuthenticated } = useCurrentUser()
  const price = monthlyPriceText()
  const button = useRef<HTMLButtonElement>(null)
  const opener = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  const [months, setMonths] = useState<SubscriptionMonths>(1)
  // Does not change while the dialog is open: another button could otherwise appear under the pointer.
  const [subscription, setSubscription] = useState(user.subscription)
  const openDialog = (from: HTMLElement | null, chosen: SubscriptionMonths = 1) => {
    opener.current = from
    setSubscription(user.subscription)
    setMonths(chosen)
    setOpen(true)
  }
  // The button that was clicked can disappear after a payment.
  const finalFocus = () => (opener.current?.isConnected ? opener.current : button.current)
  const dialogProps = { user, open, onClose: () => setOpen(false), finalFocus }
  return (
    <>
      {user.subscription && !manageLabel ? (
        <SubscriptionMenu
          subscription={user.subscription}
          button={button}
          onManage={() => openDialog(button.current)}
        />
      ) : (
        <Button
          {...props}
          ref={button}
          {...narrowStyle}
          {...(user.subscription ? subscribedStyle : { variant: secondary ? 'outline' : 'gold' })}
          onClick={({ currentTarget }) => (isAuthenticated ? openDialog(currentTarget) : openLoginPage())}
        >
          {user.subscription ? (
            manageLabel
          ) : (
            <>
              <StarIcon /> {t`Subscribe ${price}/mo`}
            </>
          )}
        </Button>
      )}
      {withLengths && !user.subscription && <LengthButtons creatorId={user.id} onChoose={openDialog} />}
      {subscription ? (
        <ManageSubscriptionDialog {...dialogProps} subscription={subscription} />
      ) : (
        <SubscribeDialog {...dialogProps} months={months} onMonthsChange={setMonths} />
      )}
    </>
  )
}

/** Shows the state of the viewer's subscription, with a menu that contains its terms. */
function SubscriptionMenu({
  subscription,
  button,
  onManage,
}: {
  subscription: NonNullable<SubscribableUser['subscription']>
  button: RefObject<HTMLButtonElement | null>
  onManage: () => void
}) {
  const terms = useSubscriptionTerms({ subscription })
  const item = (
    <MenuItem value="manage" onSelect={onManage}>
      {t`Manage subscription`}
    </MenuItem>
  )
  return (
    <Menu
      label={t`Your subscription`}
      trigger={
        <Button
          ref={button}
          {...subscribedStyle}
          position="relative"
          minHeight="7"
          paddingInline="2.5"
          gap="1"
          fontSize="sm"
          // The target is taller than the button, above all at the bottom: other buttons are above it on phones.
          _after={{ content: '""', position: 'absolute', insetInline: '0', top: '-1', bottom: '-3' }}
        >
          <CheckIcon /> {subscription.cancelled ? t`Subscription ends` : t`Subscribed`} <ChevronDownIcon />
        </Button>
      }
    >
      {isExpired(subscription.periodEnd) ? item : <MenuGroup label={terms}>{item}</MenuGroup>}
    </Menu>
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

type Length = SubscriptionOffer['lengths'][number]

/** Shows a button for each longer period that the creator offers. */
function LengthButtons({
  creatorId,
  onChoose,
}: {
  creatorId: string
  onChoose: (button: HTMLElement, months: SubscriptionMonths) => void
}) {
  const { isAuthenticated } = useCurrentUser()
  const { data: offer } = useQuery({ ...subscriptionOfferQuery(creatorId), enabled: isAuthenticated })
  if (!offer?.lengths.length) return null
  return (
    <Box as="ul" listStyleType="none" display="grid" gap="2" aria-label={t`Longer subscriptions`}>
      {offer.lengths.map((length) => (
        <li key={length.months}>
          <Button
            variant="outline"
            display="block"
            width="100%"
            paddingInline="4"
            paddingBlock="2"
            borderRadius="md"
            textAlign="start"
            lineHeight="short"
            onClick={({ currentTarget }) => onChoose(currentTarget, length.months)}
          >
            <LengthTerms {...length} />
            <Box as="span" display="block" textStyle="small" fontWeight="normal" color="muted">
              {pricePerMonth(length)}
            </Box>
          </Button>
        </li>
      ))}
    </Box>
  )
}

/** Shows the length, discount and price of a period on one line. */
function LengthTerms({ months, discount, price }: Length) {
  const percent = formatPercent(discount)
  return (
    <Box as="span" display="flex" alignItems="center" gap="2">
      <span>{plural(months, { one: '# month', other: '# months' })}</span>
      {discount > 0 && <Badge tone="gold">{t`Save ${percent}`}</Badge>}
      <Box as="span" marginInlineStart="auto" fontVariantNumeric="tabular-nums">
        {dollars(price)}
      </Box>
    </Box>
  )
}

function pricePerMonth({ months, price }: Length): string {
  const monthly = dollars(price / months)
  return t`${monthly} per month`
}

type DialogProps = {
  user: UserCard
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/**
 * Lets the viewer choose a length, if the creator offers several, and asks for confirmation before the first payment.
 * The button to pay is disabled until the payment mode is known, and hidden if payments are off.
 */
export function SubscribeDialog({
  user,
  months: wantedMonths,
  onMonthsChange,
  open,
  onClose,
  finalFocus,
}: DialogProps & { months: SubscriptionMonths; onMonthsChange: (months: SubscriptionMonths) => void }) {
  const name = displayName(user)
  const subscribe = useSubscribe({ creatorId: user.id, name })
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  const { data: offer } = useQuery({ ...subscriptionOfferQuery(user.id), enabled: open })
  const oneMonth: Length = { months: 1, discount: 0, price: limits.subscriptionPrice }
  const lengths = [oneMonth, ...(offer?.lengths ?? [])]
  const choice = lengths.find((length) => length.months === wantedMonths) ?? oneMonth
  const { months } = choice
  const price = dollars(choice.price)
  const periodEnd = longDate(addMonths(months))
  return (
    <Dialog
      open={open}
      onClose={() => !subscribe.isPending && onClose()}
      finalFocus={finalFocus}
      title={t`Subscribe`}
      description={
        months === 1 ? (
          <Trans>
            Support <bdi>{name}</bdi> every month.
          </Trans>
        ) : (
          <Trans>
            Support <bdi>{name}</bdi> for <Plural value={months} one="# month" other="# months" /> at a time.
          </Trans>
        )
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={subscribe.isPending}>
            {payments === 'off' ? t`Close` : t`Cancel`}
          </Button>
          {payments !== 'off' && (
            <Button
              variant="gold"
              onClick={() => subscribe.mutate(choice, { onSuccess: onClose })}
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
      {lengths.length > 1 && (
        <Box marginTop="3">
          <RadioGroup
            label={t`How long?`}
            options={lengths.map((length) => ({
              value: String(length.months),
              label: <LengthTerms {...length} />,
              hint: pricePerMonth(length),
            }))}
            value={String(months)}
            onChange={(value) => {
              const chosen = lengths.find((length) => String(length.months) === value)
              if (chosen && !subscribe.isPending) onMonthsChange(chosen.months)
            }}
          />
        </Box>
      )}
      <Price
        price={price}
        label={plural(months, { 1: 'Billed monthly, cancel any time', other: 'Billed every # months' })}
        note={
          lengths.length === 1 || payments === 'off'
            ? undefined
            : months === 1
              ? t`Renews on ${periodEnd}`
              : t`Renews on ${periodEnd}. Cancel any time.`
        }
      />
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
  const { data: offer } = useQuery({ ...subscriptionOfferQuery(user.id), enabled: open })
  const { months } = subscription
  const hasLengths = months > 1 || (offer?.lengths.length ?? 0) > 0
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
            You're subscribed to <bdi>{name}</bdi>. The paid period is over, so cancelling ends it right away.
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
                onClick={() => subscribe.mutate(subscription, { onSuccess: onClose })}
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
      <Price
        price={dollars(subscription.price)}
        label={
          subscription.cancelled
            ? t`Ends on ${periodEnd}`
            : plural(months, { 1: 'Billed monthly', other: 'Billed every # months' })
        }
        note={
          !hasLengths || isExpired(subscription.periodEnd)
            ? undefined
            : subscription.cancelled
              ? t`After that, you can choose another length.`
              : t`To change the length, cancel first. You can subscribe again after ${periodEnd}.`
        }
      />
    </Dialog>
  )
}

function Price({ price, label, note }: { price: string; label: string; note: string | undefined }) {
  return (
    <Box paddingBlock="2">
      <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4">
        <Box color="muted">{label}</Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {price}
        </Box>
      </Box>
      {note && (
        <Box textStyle="small" color="muted">
          {note}
        </Box>
      )}
    </Box>
  )
}
