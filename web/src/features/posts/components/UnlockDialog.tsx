import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PaymentMethodNotice } from '@/billing/components/PaymentNotice'
import { usePaymentsConfig } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { isPriceChanged, useUnlock } from '../api/post-actions'
import { contentSummary, unlockPrice } from '../model'

/**
 * Asks the user to confirm the purchase of a premium post. The button to pay is disabled until the payment mode is
 * known, and hidden if payments are off.
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
      title={t`Unlock this post`}
      description={<Offer post={post} />}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {isPaymentOff ? t`Close` : t`Cancel`}
          </Button>
          {!isPaymentOff && (
            <Button
              variant="gold"
              onClick={() => unlock(unlockPrice(post))}
              disabled={!paymentsConfig.payments}
              pending={isPending}
              pendingLabel={t`Unlocking…`}
            >
              <Trans>Pay {price}</Trans>
            </Button>
          )}
        </>
      }
    >
      <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
        <Box color="muted">
          <Trans>One-time payment</Trans>
          <Box textStyle="small">{contentSummary(post)}</Box>
        </Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {price}
        </Box>
      </Box>
      <div role="status">
        {isPriceChanged(error) && !isPending && (
          <Box color="gold.text" fontWeight="medium" paddingBottom="2">
            <Trans>The price is now {price}. You haven't been charged.</Trans>
          </Box>
        )}
      </div>
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}

/** Describes what the user buys, and from whom. */
function Offer({ post }: { post: Post }) {
  const authorName = displayName(post.user)
  switch (post.mediaType) {
    case 'image':
      return (
        <Trans>
          A premium photo from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
    case 'video':
      return (
        <Trans>
          A premium video from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
    default:
      return (
        <Trans>
          A premium post from <bdi>{authorName}</bdi>. Yours to keep.
        </Trans>
      )
  }
}
