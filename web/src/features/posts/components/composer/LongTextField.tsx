import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { Textarea } from '@/ui/Field'
import { AlertIcon } from '@/ui/icons'
import { useAutoHeight } from '@/ui/useAutoHeight'

const Label = chakra('label', { base: { display: 'block', textStyle: 'label', marginBottom: '1.5' } })

/** Several lines of text with a label, as high as they are; says how many characters are left when it gets narrow. */
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
  /** Stands in place of the hint. */
  error?: string
  value: string
  onChange: (value: string) => void
  /** Characters, without space around them. */
  max: number
  /** It is never lower. */
  rows?: number
  disabled?: boolean
  inputRef?: RefObject<HTMLTextAreaElement | null>
}) {
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const box = inputRef ?? own
  useAutoHeight(box, value)
  const left = max - value.trim().length
  return (
    <Box width="100%">
      <Label htmlFor={id}>{label}</Label>
      <Textarea
        ref={box}
        id={id}
        dir="auto"
        rows={rows}
        paddingBlock="2.5"
        maxHeight="60vh"
        resize="none"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        readOnly={disabled}
        aria-invalid={left < 0 || error !== undefined || undefined}
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
          color={left < 0 ? 'danger.text' : undefined}
        >
          {left <= max / 10 && (left < 0 ? `${-left} too many` : `${left} left`)}
        </Box>
      </Box>
    </Box>
  )
}
