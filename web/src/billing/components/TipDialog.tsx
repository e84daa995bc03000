import { Box, chakra } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'
import { limits } from '@contract/limits.ts'
import { TipAmount } from '@contract/payment.ts'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { usePaymentsConfig } from '@/lib/config'
import { dollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextareaField } from '@/ui/Field'
import { CheckIcon } from '@/ui/icons'
import type { TipTarget } from '../tips'
import { useSendTip } from '../useSendTip'
import { PaymentMethodNotice } from './PaymentMethodNotice'
import { PaymentNotice } from './PaymentNotice'
import { type SelectedAmount, TipAmountField, tipAmountInDollars } from './TipAmountField'

/** Tips a creator: how much, what to say with it, and thanks when it is paid. What fails loses nothing of it. */
export default function TipDialog({
  target,
  open,
  onClose,
}: {
  target: TipTarget
  open: boolean
  onClose: () => void
}) {
  const form = useId()
  const name = displayName(target.creator)
  const [amount, setAmount] = useState<SelectedAmount>({ choice: limits.tip.choices[1], own: '' })
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const own = useRef<HTMLInputElement>(null)
  const closeButton = useRef<HTMLButtonElement>(null)
  const tip = useSendTip({ creatorId: target.creator.id, name, postId: target.postId })
  const how = usePaymentsConfig(open)
  const { payments } = how
  const isPaid = tip.paid !== undefined
  // The button that was pressed goes; the focus goes on to what is in its place.
  useEffect(() => {
    if (isPaid) closeButton.current?.focus()
  }, [isPaid])

  const checked = TipAmount.safeParse(tipAmountInDollars(amount))
  const written = [...note.trim()].length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!checked.success) own.current?.focus()
    if (!checked.success || written > limits.tipNote.max || !open) return
    tip.send({ amount: checked.data, note: note.trim() })
  }
  return (
    <Dialog
      open={open}
      onClose={() => !tip.isPending && onClose()}
      finalFocus={target.finalFocus}
      title={isPaid ? 'Thank you!' : 'Send a tip'}
      description={
        isPaid ? undefined : (
          <>
            {target.postId ? 'For this post, to' : 'To'} <bdi>{name}</bdi>.
          </>
        )
      }
      footer={
        <>
          <Button ref={closeButton} variant="outline" onClick={onClose} disabled={tip.isPending}>
            {isPaid || payments === 'off' ? 'Close' : 'Cancel'}
          </Button>
          {!isPaid && payments !== 'off' && (
            <Button
              variant="gold"
              type="submit"
              form={form}
              disabled={!payments || !open}
              pending={tip.isPending}
              pendingLabel="Sending…"
            >
              Send tip
            </Button>
          )}
        </>
      }
    >
      <div role="status">{isPaid && <Thanks amount={tip.paid ?? 0} name={name} payments={payments} />}</div>
      {!isPaid && (
        <chakra.form id={form} noValidate onSubmit={submit} display="grid" gap="5">
          <TipAmountField
            value={amount}
            onChange={setAmount}
            ownRef={own}
            error={tried && !checked.success ? checked.error.issues[0]?.message : undefined}
          />
          <TextareaField
            label="Note"
            rows={2}
            placeholder="Say something nice, if you like"
            value={note}
            onChange={(event) => setNote(event.target.value)}
            error={
              written > limits.tipNote.max
                ? `A note can have at most ${limits.tipNote.max} characters.`
                : undefined
            }
            aside={
              <Box
                textStyle="small"
                fontVariantNumeric="tabular-nums"
                color={written > limits.tipNote.max ? 'danger.text' : 'muted'}
              >
                {written}/{limits.tipNote.max}
              </Box>
            }
          />
          {tip.failure && !tip.isPending && (
            <Box role="alert" textStyle="small" color="danger.text">
              {tip.failure}
            </Box>
          )}
          <PaymentMethodNotice {...how} />
        </chakra.form>
      )}
    </Dialog>
  )
}

function Thanks({
  amount,
  name,
  payments,
}: {
  amount: number
  name: string
  payments: Config['payments'] | undefined
}) {
  return (
    <Box display="grid" justifyItems="center" textAlign="center" gap="3" paddingBlock="4">
      <Box
        display="grid"
        placeItems="center"
        width="16"
        height="16"
        borderRadius="full"
        bg="gold.wash"
        color="gold.text"
        fontSize="3xl"
      >
        <CheckIcon />
      </Box>
      <div>
        Your tip of{' '}
        <Box as="strong" fontVariantNumeric="tabular-nums">
          {dollars(amount)}
        </Box>{' '}
        is with <bdi>{name}</bdi>.
      </div>
      {payments && <PaymentNotice payments={payments} beside="purchases" />}
    </Box>
  )
}
