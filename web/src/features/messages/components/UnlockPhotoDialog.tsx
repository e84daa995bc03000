import { UnlockPhotoResponse } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { UnlockDialog } from '@/billing/components/UnlockDialog'
import { useUnlock } from '@/billing/unlocks'
import { queryClient } from '@/lib/query-client'
import { messageKeys } from '../api/keys'
import { findCachedMessage } from '../api/thread'
import { applyChangeEvent } from '../cache-updates'
import { useThreadActions } from './thread-actions'

/**
 * Asks the user to confirm the purchase of the photo of a message. After an error, refetches the thread, because the
 * message may have been deleted.
 */
export function UnlockPhotoDialog({
  messageId,
  senderId,
  price,
  ...props
}: {
  messageId: string
  senderId: string
  /** US dollars. */
  price: number
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const { name } = useThreadActions()
  const unlocking = useUnlock({
    id: messageId,
    purchase: { kind: 'photo', messageId, senderId },
    path: `/api/messages/${messageId}/unlock`,
    response: UnlockPhotoResponse,
    onUnlocked: ({ message }) => applyChangeEvent(queryClient, senderId, message),
    onError: async () => {
      await queryClient.invalidateQueries({ queryKey: messageKeys.thread(senderId) })
      return findCachedMessage(senderId, messageId)?.paidPhoto?.unlocked === true
    },
  })
  return (
    <UnlockDialog
      title={t`Unlock this photo`}
      description={
        <Trans>
          A photo that <bdi>{name}</bdi> sent you.
        </Trans>
      }
      summary={t`1 photo`}
      amount={price}
      unlocking={unlocking}
      {...props}
    />
  )
}
