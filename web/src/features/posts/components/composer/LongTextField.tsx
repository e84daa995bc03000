import { Box, chakra } from '@chakra-ui/react'
import { countCharacters } from '@contract/limits.ts'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Textarea } from '@/ui/Field'
import { AlertIcon } from '@/ui/icons'
import { useAutoHeight } from '@/ui/useAutoHeight'
import { remainingCharactersText } from '../../model'

const Label = chakra('label', { base: { display: 'block', textStyle: 'label', marginBottom: '1.5' } })

/** Shows a labeled text area that grows with its text, and a counter when few characters remain. */
export function LongTextField({
  label,
  hint,
  error,
  value,
  onChange,
  max,
  rows = 3,
  disabled,
  inputRef,
}: {
  label: string
  hint?: ReactNode
  /** Replaces the hint. */
  error?: string
  value: string
  onChange: (value: string) => void
  /** Maximum number of characters, not counting whitespace around the text. */
  max: number
  /** Minimum number of lines. */
  rows?: number
  disabled?: boolean
  inputRef?: RefObject<HTMLTextAreaElement | null>
}) {
  const id = useId()
  const ownRef = useRef<HTMLTextAreaElement>(null)
  const ref = inputRef ?? ownRef
  useAutoHeight(ref, value)
  const remaining = max - countCharacters(value.trim())
  return (
    <Box width="100%">
      <Label htmlFor={id}>{label}</Label>
      <Textarea
        ref={ref}
        id={id}
        dir="auto"
        rows={rows}
        paddingBlock="2.5"
        maxHeight="60vh"
        resize="none"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        readOnly={disabled}
        aria-invalid={remaining < 0 || error !== undefined || undefined}
        aria-describedby={`${id}-hint`}
      />
      <Box id={`${id}-hint`} display="flex" gap="3" textStyle="small" color="muted" marginTop="1.5">
        {error ? (
          <Box as="span" display="flex" gap="1.5" color="danger.text" minWidth="0">
            <Box as="span" marginTop="0.5" flexShrink={0}>
              <AlertIcon />
            </Box>
            <span>{error}</span>
          </Box>
        ) : (
          hint
        )}
        <Box
          as="span"
          role="status"
          marginInlineStart="auto"
          whiteSpace="nowrap"
          fontVariantNumeric="tabular-nums"
          color={remaining < 0 ? 'danger.text' : undefined}
        >
          {remaining <= max / 10 && remainingCharactersText(remaining)}
        </Box>
      </Box>
    </Box>
  )
}
