import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** One question and its answer: a heading, the number people came for, and what tells more of it. */
export function Panel({
  title,
  figure,
  note,
  aside,
  pale = false,
  children,
}: {
  title: string
  figure?: ReactNode
  note?: ReactNode
  /** At the heading's other end. */
  aside?: ReactNode
  /** These are the figures of the period before last, until the chosen one's are there. */
  pale?: boolean
  children?: ReactNode
}) {
  const id = useId()
  return (
    <Card
      as="section"
      aria-labelledby={id}
      aria-busy={pale || undefined}
      padding={{ base: '4', md: '5' }}
      minWidth="0"
    >
      <Box display="flex" justifyContent="space-between" alignItems="baseline" gap="4">
        <Box as="h2" id={id} textStyle="label">
          {title}
        </Box>
        {aside}
      </Box>
      <Box opacity={pale ? 0.5 : undefined} transition="opacity {durations.fast}">
        {figure !== undefined && (
          <Box textStyle="heading" fontSize="3xl" fontVariantNumeric="tabular-nums" marginTop="1">
            {figure}
          </Box>
        )}
        {note && (
          <Box textStyle="small" color="muted">
            {note}
          </Box>
        )}
        {children && <Box marginTop="4">{children}</Box>}
      </Box>
    </Card>
  )
}
