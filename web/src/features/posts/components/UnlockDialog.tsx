import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { PaymentMethodNotice } from '@/billing/components/PaymentNotice'
import { usePaymentsConfig } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { isPriceChanged, useUnlock } from '../api/post-actions'
import { unlockPrice } from '../model'

const mediaNames = { image: 'picture', video: 'video' } as const

/**
 * Asks the user to confirm the purchase of a premium post. The button is disabled until the payment mode is known, and
 * hidden if payments are off.
 */
export function UnlockDialog({
  post,
  open,
  onClose,
  finalFocus,
}: {
  post: Post
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const { unlock, isPending, error, reset } = useUnlock(post.id)
  const paymentsConfig = usePaymentsConfig(open)
  const price = dollars(unlockPrice(post))
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const isPaymentOff = paymentsConfig.payments === 'off'
  return (
    <Dialog
      open={open}
      onClose={close}
      finalFocus={finalFocus}
      title="Unlock this post"
      description={
        <>
          A premium {post.mediaType ? mediaNames[post.mediaType] : 'post'} by{' '}
          <bdi>{displayName(post.user)}</bdi>. It stays open to you.
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {isPaymentOff ? 'Close' : 'Cancel'}
          </Button>
          {!isPaymentOff && (
            <Button
              variant="gold"
              onClick={() => unlock(unlockPrice(post))}
              disabled={!paymentsConfig.payments}
              pending={isPending}
              pendingLabel="Unlocking…"
            >
              Pay {price}
            </Button>
          )}
        </>
      }
    >
      <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
        <Box color="muted">You pay once</Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {price}
        </Box>
      </Box>
      <div role="status">
        {isPriceChanged(error) && !isPending && (
          <Box color="gold.text" fontWeight="medium" paddingBottom="2">
            The price has changed: it is {price} now. Nothing was paid.
          </Box>
        )}
      </div>
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}
