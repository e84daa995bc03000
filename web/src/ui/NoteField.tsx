import { Box } from '@chakra-ui/react'
import type { ReactNode, Ref } from 'react'
import { TextareaField } from './Field'

/** Characters that a text has, as the server counts them; space around it does not count. */
export const textLength = (text: string) => text.trim().length

/** Several lines with a count beside the label; too many are said, and nothing is cut. */
export function NoteField({
  label,
  value,
  onChange,
  max,
  tooLong,
  error,
  ...rest
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  max: number
  /** Said when there are more. */
  tooLong: string
  error?: string | undefined
  hint?: ReactNode
  rows?: number
  placeholder?: string
  readOnly?: boolean
  ref?: Ref<HTMLTextAreaElement>
}) {
  const length = textLength(value)
  return (
    <TextareaField
      {...rest}
      dir="auto"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={length > max ? tooLong : error}
      aside={
        <Box
          textStyle="small"
          fontVariantNumeric="tabular-nums"
          color={length > max ? 'danger.text' : 'muted'}
        >
          {length}/{max}
        </Box>
      }
    />
  )
}
