import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { RefObject } from 'react'
import { parseAmount } from '@/lib/parse-amount'
import { TextField } from '@/ui/Field'
import { VisuallyHidden } from '@/ui/layout'

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

/** Of the whole chip, so that a press anywhere is one of the control. */
const Radio = chakra('input', {
  base: { position: 'absolute', inset: '0', opacity: 0, cursor: 'pointer', margin: '0' },
})

/** An amount in US dollars: one of those offered, or one's own as it was typed. */
export type SelectedAmount = { choice: number | null; own: string }

/** In dollars; NaN where nothing that is an amount was typed. */
export const tipAmountInDollars = ({ choice, own }: SelectedAmount) => choice ?? parseAmount(own)

/** Asks how much: a few amounts with one press, or any other. */
export function TipAmountField({
  value,
  onChange,
  error,
  ownRef,
}: {
  value: SelectedAmount
  onChange: (value: SelectedAmount) => void
  error: string | undefined
  ownRef: RefObject<HTMLInputElement | null>
}) {
  const { min, max, choices } = limits.tip
  return (
    <Box as="fieldset" border="0" minWidth="0">
      <VisuallyHidden asChild>
        <legend>Amount in US dollars</legend>
      </VisuallyHidden>
      <Box
        display="grid"
        gridTemplateColumns={{ base: 'repeat(4, minmax(0, 1fr))', sm: 'repeat(5, minmax(0, 1fr))' }}
        gap="2"
      >
        {choices.map((amount) => (
          <Chip key={amount}>
            <Radio
              type="radio"
              name="tip"
              checked={value.choice === amount}
              onChange={() => onChange({ ...value, choice: amount })}
            />
            ${amount}
          </Chip>
        ))}
        <Chip gridColumn={{ base: '1 / -1', sm: 'auto' }}>
          <Radio
            type="radio"
            name="tip"
            checked={value.choice === null}
            onChange={() => onChange({ ...value, choice: null })}
          />
          Other
        </Chip>
      </Box>
      {value.choice === null && (
        <Box marginTop="4">
          <TextField
            ref={ownRef}
            label="Your amount in US dollars"
            inputMode="decimal"
            autoComplete="off"
            value={value.own}
            onChange={(event) => onChange({ choice: null, own: event.target.value })}
            error={error}
            hint={`Between $${min.toFixed(2)} and $${max.toFixed(2)}`}
          />
        </Box>
      )}
    </Box>
  )
}
