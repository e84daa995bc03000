import { Box, chakra } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'
import { limits } from '@contract/limits.ts'
import { TipRequest } from '@contract/payment.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type Ref, useEffect, useId, useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText } from '@/lib/errors'
import { dollars, formatCount, parseAmount, wholeDollars } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { NoteField, TextField } from '@/ui/Field'
import { CheckIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { ErrorText } from '@/ui/states'
import { usePaymentsConfig } from '../payments'
import { type TipTarget, useSendTip } from '../tips'
import { PaymentMethodNotice, PaymentNotice } from './PaymentNotice'

/** US dollars. */
const presetAmounts = [3, 5, 10, 25] as const

/** Shows the form for tipping a creator, then a thank-you once the tip is paid. The form keeps its input on failure. */
export default function TipDialog({
  target,
  open,
  onClose,
}: {
  target: TipTarget
  open: boolean
  onClose: () => void
}) {
  const formId = useId()
  const name = displayName(target.creator)
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(TipForm),
    defaultValues: { amount: { preset: presetAmounts[1], custom: '' }, note: '' },
  })
  const closeButton = useRef<HTMLButtonElement>(null)
  const tip = useSendTip({ creatorId: target.creator.id, name, postId: target.postId })
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  const isPaid = tip.paidAmount !== undefined
  // The focused submit button is removed once the tip is paid.
  useEffect(() => {
    if (isPaid) closeButton.current?.focus()
  }, [isPaid])

  const maxNoteLength = formatCount(limits.tipNote.max)
  const submit = handleSubmit((values) => {
    if (open) tip.send(values)
  })
  return (
    <Dialog
      open={open}
      onClose={() => !tip.isPending && onClose()}
      finalFocus={target.finalFocus}
      title={isPaid ? t`Thank you!` : t`Send a tip`}
      description={
        isPaid ? undefined : target.postId ? (
          <Trans>
            To <bdi>{name}</bdi>, for this post.
          </Trans>
        ) : (
          <Trans>
            To <bdi>{name}</bdi>.
          </Trans>
        )
      }
      footer={
        <>
          <Button ref={closeButton} variant="outline" onClick={onClose} disabled={tip.isPending}>
            {isPaid || payments === 'off' ? t`Close` : t`Cancel`}
          </Button>
          {!isPaid && payments !== 'off' && (
            <Button
              variant="gold"
              type="submit"
              form={formId}
              disabled={!payments || !open}
              pending={tip.isPending}
              pendingLabel={t`Sending…`}
            >
              {t`Send tip`}
            </Button>
          )}
        </>
      }
    >
      <div role="status">
        {isPaid && <ThankYou amount={tip.paidAmount ?? 0} name={name} payments={payments} />}
      </div>
      {!isPaid && (
        <chakra.form id={formId} noValidate onSubmit={submit} display="grid" gap="5">
          <Controller
            control={control}
            name="amount"
            render={({ field, fieldState }) => (
              <TipAmountField
                value={field.value}
                onChange={field.onChange}
                customAmountRef={field.ref}
                error={fieldErrorText(fieldState.error)}
              />
            )}
          />
          <Controller
            control={control}
            name="note"
            render={({ field }) => (
              <NoteField
                ref={field.ref}
                label={t`Note`}
                rows={2}
                placeholder={t`Add a note (optional)`}
                value={field.value ?? ''}
                onChange={field.onChange}
                max={limits.tipNote.max}
                tooLong={t`A note can have at most ${maxNoteLength} characters.`}
              />
            )}
          />
          <ErrorText>{!tip.isPending && tip.failure}</ErrorText>
          <PaymentMethodNotice {...paymentsConfig} />
        </chakra.form>
      )}
    </Dialog>
  )
}

function ThankYou({
  amount,
  name,
  payments,
}: {
  amount: number
  name: string
  payments: Config['payments'] | undefined
}) {
  const amountText = dollars(amount)
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
        <Trans>
          You sent <bdi>{name}</bdi> a tip of{' '}
          <Box as="strong" fontVariantNumeric="tabular-nums">
            {amountText}
          </Box>
          .
        </Trans>
      </div>
      {payments && <PaymentNotice payments={payments} context="purchases" />}
    </Box>
  )
}

/** `preset` is in US dollars, or null if the custom amount is selected. `custom` is the custom amount as typed. */
type SelectedAmount = { preset: number | null; custom: string }

const TipForm = TipRequest.pick({ note: true }).extend({
  amount: z.preprocess(
    ({ preset, custom }: SelectedAmount) => preset ?? parseAmount(custom),
    TipRequest.shape.amount,
  ),
})

/** Shows radio buttons for the preset amounts, and a text field for a custom amount. */
function TipAmountField({
  value,
  onChange,
  error,
  customAmountRef,
}: {
  value: SelectedAmount
  onChange: (value: SelectedAmount) => void
  error: string | undefined
  customAmountRef: Ref<HTMLInputElement>
}) {
  const { min, max } = limits.tip
  const [minimum, maximum] = [dollars(min), dollars(max)]
  return (
    <Box as="fieldset" border="0" minWidth="0">
      <VisuallyHidden asChild>
        <legend>{t`Amount in US dollars`}</legend>
      </VisuallyHidden>
      <Box
        display="grid"
        gridTemplateColumns={{
          base: `repeat(${presetAmounts.length}, minmax(0, 1fr))`,
          sm: `repeat(${presetAmounts.length + 1}, minmax(0, 1fr))`,
        }}
        gap="2"
      >
        {presetAmounts.map((amount) => (
          <Chip key={amount}>
            <ChipRadio
              type="radio"
              name="tip"
              checked={value.preset === amount}
              onChange={() => onChange({ ...value, preset: amount })}
            />
            {wholeDollars(amount)}
          </Chip>
        ))}
        <Chip gridColumn={{ base: '1 / -1', sm: 'auto' }}>
          <ChipRadio
            type="radio"
            name="tip"
            checked={value.preset === null}
            onChange={() => onChange({ ...value, preset: null })}
          />
          {t({ message: 'Other', context: 'amount' })}
        </Chip>
      </Box>
      {value.preset === null && (
        <Box marginTop="4">
          <TextField
            ref={customAmountRef}
            label={t`Your amount in US dollars`}
            inputMode="decimal"
            autoComplete="off"
            value={value.custom}
            onChange={(event) => onChange({ preset: null, custom: event.target.value })}
            error={error}
            hint={t`Between ${minimum} and ${maximum}`}
          />
        </Box>
      )}
    </Box>
  )
}

const Chip = chakra('label', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    minHeight: 'target',
    borderRadius: 'md',
    borderWidth: '1px',
    borderColor: 'outline',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, border-color {durations.fast}',
    _hover: { bg: 'hover' },
    '&:has(input:checked)': { bg: 'gold.solid', borderColor: 'gold.solid', color: 'gold.on' },
    '&:has(input:focus-visible)': { outline: '2px solid {colors.focus}', outlineOffset: '2px' },
  },
})

/** Covers the whole chip, so that a click anywhere on the chip hits the input itself. */
const ChipRadio = chakra('input', {
  base: { position: 'absolute', inset: '0', opacity: 0, cursor: 'pointer', margin: '0' },
})
