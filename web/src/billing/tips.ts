import { CheckoutResponse, type TipRequest, TipResponse } from '@contract/payment.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { z } from 'zod'
import { create } from 'zustand'
import { api } from '@/lib/api'
import { ApiError, inlineErrorMessage, isTransient } from '@/lib/errors'
import { parseJson } from '@/lib/json'
import { durableStorage, type UserStorage } from '@/lib/storage'
import { uuidTime, uuidv7 } from '@/lib/uuid'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { redirectToCheckout } from './checkout'

/** The creator to tip, the post that the tip is for, if any, and what receives focus when the dialog closes. */
export type TipTarget = {
  creator: UserCard
  postId?: string
  finalFocus: () => HTMLElement | null
}

/** The state of the tip dialog, which all screens share. */
export const useTipDialog = create<{ target: TipTarget | null; open: boolean }>(() => ({
  target: null,
  open: false,
}))

export const closeTipDialog = () => useTipDialog.setState({ open: false })

/** Returns a function that opens the tip dialog, or the sign-in page for a visitor. */
export function useOpenTipDialog(): (target: TipTarget) => void {
  const { isAuthenticated } = useCurrentUser()
  return (target) => (isAuthenticated ? useTipDialog.setState({ target, open: true }) : openLoginPage())
}

const TipOrCheckoutResponse = z.union([TipResponse, CheckoutResponse])
type Tip = Pick<TipRequest, 'amount' | 'note'>
type TipRecipient = { creatorId: string; postId: string | undefined }

/**
 * Sends a tip to a creator, or redirects to the payment page if the payment is made there. A tip that is sent again
 * before the server has responded keeps its id, even in another dialog or tab or after a reload. The server charges the
 * user only once for each id.
 */
export function useSendTip(recipient: TipRecipient & { name: string }) {
  const { user } = useCurrentUser()
  const storage = durableStorage(user?.id ?? '')
  const isSending = useRef(false)
  const mutation = useMutation({
    mutationFn: async ({ amount, note }: Tip) => {
      const id = getOrCreateTipId(storage, recipient, JSON.stringify([amount, note]))
      const body: TipRequest = { id, amount, note: note || null, postId: recipient.postId ?? null }
      const response = await api
        .post(`/api/users/${recipient.creatorId}/tip`, body, TipOrCheckoutResponse)
        .catch((error: unknown) => {
          // A tip that the server rejected was not paid, so the next attempt is a new tip.
          if (!isTransient(error)) clearTipId(storage, recipient, id)
          throw error
        })
      clearTipId(storage, recipient, id)
      if ('checkoutUrl' in response) {
        redirectToCheckout(response.checkoutUrl, { kind: 'tip', tipId: id, name: recipient.name, amount })
        return null
      }
      return response
    },
    onSettled: () => {
      isSending.current = false
    },
  })
  const send = (tip: Tip) => {
    // `isPending` disables the button only after the next render, too late for a double click.
    if (isSending.current) return
    isSending.current = true
    mutation.mutate(tip)
  }
  return {
    send,
    isPending: mutation.isPending,
    /** The amount of the paid tip in US dollars; undefined until a tip is paid. */
    paidAmount: mutation.data?.amount,
    failure: inlineErrorMessage(mutation.error, failureText(mutation.error)),
  }
}

function failureText(error: Error | null): string {
  if (error instanceof ApiError) return t`Couldn't send your tip. Try again.`
  return t`Your tip may not have been sent because the connection was lost. Try again: you won't be charged twice.`
}

/** How long a tip without a response keeps its id. */
const tipIdLifetimeMs = 10 * 60_000
const StoredTipId = z.object({ content: z.string(), id: z.string() })

const storageName = ({ creatorId, postId }: TipRecipient) => `tip:${creatorId}:${postId ?? ''}`

/**
 * Returns the id for a tip that is about to be sent. Returns the stored id if this browser recently sent a tip with the
 * same recipient and `content` that still has no response. Otherwise, creates and stores a new id.
 */
export function getOrCreateTipId(storage: UserStorage, recipient: TipRecipient, content: string): string {
  const stored = parseStoredTipId(storage.get(storageName(recipient)))
  if (stored?.content === content && Date.now() - uuidTime(stored.id) < tipIdLifetimeMs) return stored.id
  const id = uuidv7()
  storage.set(storageName(recipient), JSON.stringify({ content, id }))
  return id
}

/** Deletes a stored id once the server has responded, so that sending the same tip again creates a new one. */
export function clearTipId(storage: UserStorage, recipient: TipRecipient, id: string): void {
  if (parseStoredTipId(storage.get(storageName(recipient)))?.id === id) storage.remove(storageName(recipient))
}

function parseStoredTipId(text: string | null): z.infer<typeof StoredTipId> | undefined {
  return StoredTipId.safeParse(parseJson(text)).data
}
