import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** A card with a heading, a sentence below it and what can be done beside it. `flush` lets its content reach the edges. */
export function EarningsSection({
  title,
  text,
  action,
  flush = false,
  children,
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
  flush?: boolean
  children: ReactNode
}) {
  const id = useId()
  const side = { base: '4', md: '5' }
  return (
    <Card as="section" aria-labelledby={id} minWidth="0" overflow="hidden">
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        paddingInline={side}
        paddingTop={side}
        paddingBottom="3"
      >
        <Box minWidth="0">
          <Box as="h2" id={id} textStyle="title">
            {title}
          </Box>
          {text && (
            <Box textStyle="small" color="muted" marginTop="0.5">
              {text}
            </Box>
          )}
        </Box>
        {action}
      </Box>
      <Box {...(!flush && { paddingInline: side, paddingBottom: side })}>{children}</Box>
    </Card>
  )
}
