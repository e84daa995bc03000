import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { PaymentMethodNotice } from '@/billing/components/PaymentMethodNotice'
import { usePaymentsConfig } from '@/lib/config'
import { dollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { isPriceChanged, useUnlock } from '../api/unlock-post'
import { unlockPrice } from '../model'

const things = { image: 'picture', video: 'video' } as const

/**
 * Asks before a premium post is paid: what is bought, from whom, and for how much. There is nothing to press before it is
 * known how payments are made.
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
  const how = usePaymentsConfig(open)
  const price = dollars(unlockPrice(post))
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const isOff = how.payments === 'off'
  return (
    <Dialog
      open={open}
      onClose={close}
      finalFocus={finalFocus}
      title="Unlock this post"
      description={
        <>
          A premium {post.mediaType ? things[post.mediaType] : 'post'} by <bdi>{displayName(post.user)}</bdi>.
          It stays open to you.
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {isOff ? 'Close' : 'Cancel'}
          </Button>
          {!isOff && (
            <Button
              variant="gold"
              onClick={() => unlock(unlockPrice(post))}
              disabled={!how.payments}
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
      <PaymentMethodNotice {...how} />
    </Dialog>
  )
}
