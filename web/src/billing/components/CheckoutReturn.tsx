import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { matchPath, useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { Button, ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { CheckIcon, ClockIcon, CloseIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Spinner } from '@/ui/Skeleton'
import { clearPendingPurchase, getPendingPurchase, type PendingPurchase } from '../checkout'
import {
  fetchPaymentStatus,
  type PaymentStatus,
  paymentPendingText,
  paymentPollDelaysMs,
  paymentSuccessText,
} from '../payment-status'

/**
 * Shows the result of a payment above the screen to which the user returns from the payment page. A payment is pending
 * until the server knows whether it succeeded or failed. The user may also have cancelled it.
 */
export function CheckoutReturn({ returnUrl }: { returnUrl: URL }) {
  const { result, dismiss, checkAgain } = useCheckoutReturn(returnUrl)
  const card = useRef<HTMLDivElement>(null)
  if (!result) return null
  return (
    <Card
      ref={card}
      tabIndex={-1}
      display="flex"
      alignItems="flex-start"
      gap="3"
      marginBottom={{ base: '2', md: '4' }}
      padding="4"
      borderInlineStartWidth="4px"
      borderInlineStartColor={result.state === 'paid' ? 'success.text' : 'gold.solid'}
    >
      <ResultMessage
        result={result}
        onCheckAgain={() => {
          checkAgain()
          // Otherwise the focus would be lost, because the button disappears.
          card.current?.focus()
        }}
      />
      {result.state !== 'pending' && (
        <Box marginInlineStart="auto" marginInlineEnd="-2" marginBlock="-2">
          <IconButton label={t`Dismiss`} tooltip={false} onClick={dismiss}>
            <CloseIcon />
          </IconButton>
        </Box>
      )}
    </Card>
  )
}

function ResultMessage({
  result: { purchase, state },
  onCheckAgain,
}: {
  result: CheckoutResult
  onCheckAgain: () => void
}) {
  switch (state) {
    case 'pending':
      return (
        <Message icon={<Spinner />} title={t`Payment pending`}>
          {t`Waiting for our payment provider to confirm it. This usually takes a few seconds.`}
        </Message>
      )
    case 'paid': {
      const { title, text } = purchase
        ? paymentSuccessText(purchase)
        : { title: t`Thank you!`, text: t`Payment received.` }
      return (
        <Message icon={<CheckIcon />} title={title}>
          {text}
        </Message>
      )
    }
    case 'cancelled':
      return (
        <Message icon={<CloseIcon />} title={t`Payment cancelled`}>
          {t`You haven't been charged.`}
        </Message>
      )
    case 'failed':
      return (
        <Message icon={<CloseIcon />} title={t`Your payment didn't go through`}>
          {t`If you were charged, you'll be refunded.`}
        </Message>
      )
    case 'unconfirmed': {
      const { text, to, label } = paymentPendingText(purchase)
      return (
        <Message icon={<ClockIcon />} title={t`Payment pending`}>
          {t`We haven't received your payment yet. It can take a few minutes.`} {text}
          <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
            <Button variant="outline" size="sm" onClick={onCheckAgain}>
              {t`Refresh`}
            </Button>
            {to && (
              <ButtonLink to={to} variant="ghost" size="sm">
                {label}
              </ButtonLink>
            )}
          </Box>
        </Message>
      )
    }
  }
}

function Message({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      <Box as="span" fontSize="xl" color="gold.text" marginTop="0.5">
        {icon}
      </Box>
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">{title}</Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {children}
        </Box>
      </Box>
    </>
  )
}

type CheckoutResult = {
  /** Null if it is unknown what was purchased. */
  purchase: PendingPurchase | null
  /** 'unconfirmed': polling ended without an outcome. */
  state: PaymentStatus | 'cancelled' | 'unconfirmed'
}

/**
 * Returns the result of the payment if the user returned to `returnUrl` from the payment page
 * (`?checkout=done|cancelled`), or null otherwise. Removes the parameter from the current URL. Polls for a limited time
 * until the server knows the outcome, and refetches the data that a payment changes. `checkAgain` refetches and polls
 * again.
 */
function useCheckoutReturn(returnUrl: URL): {
  result: CheckoutResult | null
  dismiss: () => void
  checkAgain: () => void
} {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const [result, setResult] = useState(() => initialResult(returnUrl))

  const isInUrl = params.has('checkout')
  useEffect(() => {
    if (!isInUrl) return
    setParams(
      (current) => {
        current.delete('checkout')
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  }, [isInUrl, setParams])

  const purchase = result?.purchase
  const isPending = result?.state === 'pending'
  const hasEnded = result !== null && !isPending
  useEffect(() => {
    // The stored purchase is not cleared when it is read, because React may call the state's initializer twice.
    if (hasEnded) clearPendingPurchase()
  }, [hasEnded])
  useEffect(() => {
    if (!isPending) return
    const controller = new AbortController()
    const { signal } = controller
    const finish = (state: CheckoutResult['state']) =>
      setResult((current) => current && { ...current, state })
    void (async () => {
      for (const delayMs of paymentPollDelaysMs) {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        if (signal.aborted) return
        // A request that fails leaves the payment pending: the next one may succeed.
        const status =
          purchase && (await fetchPaymentStatus(purchase, signal).catch((): PaymentStatus => 'pending'))
        if (signal.aborted) return
        // The status of an unknown purchase cannot be polled, but refetching shows the purchase once it is paid.
        if (!purchase || status === 'paid') invalidatePurchases(client)
        if (status === 'paid' || status === 'failed') {
          finish(status)
          return
        }
      }
      finish('unconfirmed')
    })()
    return () => controller.abort()
  }, [isPending, purchase, client])
  const checkAgain = () => {
    invalidatePurchases(client)
    setResult((current) => current && { ...current, state: 'pending' })
  }
  return { result, dismiss: () => setResult(null), checkAgain }
}

function initialResult({ pathname, searchParams }: URL): CheckoutResult | null {
  const outcome = searchParams.get('checkout')
  if (outcome !== 'done' && outcome !== 'cancelled') return null
  const purchase = getPendingPurchase() ?? inferPurchase(pathname, searchParams)
  return { purchase, state: outcome === 'done' ? 'pending' : outcome }
}

/**
 * Infers the purchase from the page to which the user returned, if the tab has not stored it. Returns null for a
 * profile, because the purchase could be a tip or a subscription.
 */
function inferPurchase(pathname: string, params: URLSearchParams): PendingPurchase | null {
  const postId = matchPath(paths.post.path, pathname)?.params.id
  if (postId) return { kind: 'unlock', postId }
  const [senderId, messageId] = [params.get('user'), params.get('message')]
  if (senderId && messageId) return { kind: 'photo', messageId, senderId }
  const settings = matchPath(paths.settings.path, pathname)
  // Older URLs have the topic in the `tab` parameter.
  const isBilling = settings?.params.topic === 'billing' || params.get('tab') === 'billing'
  return settings && isBilling ? { kind: 'creator_pro' } : null
}

function invalidatePurchases(client: QueryClient): void {
  const { users, posts, comments, subscriptions, messages, creatorPro, currentUser } = queryKeys
  const changed = [users, posts, comments, subscriptions, messages, creatorPro, currentUser]
  for (const queryKey of changed) {
    void client.invalidateQueries({ queryKey })
  }
}
