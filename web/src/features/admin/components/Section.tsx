import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** Shows a card with a heading and text below it. With `flush`, the content reaches the edges of the card. */
export function Section({
  title,
  text,
  flush = false,
  children,
}: {
  title: string
  text?: ReactNode
  flush?: boolean
  children: ReactNode
}) {
  const id = useId()
  const padding = { base: '4', md: '5' }
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box padding={padding}>
        <Box as="h2" id={id} textStyle="title">
          {title}
        </Box>
        {text && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {text}
          </Box>
        )}
      </Box>
      {flush ? (
        children
      ) : (
        <Box paddingInline={padding} paddingBottom={padding}>
          {children}
        </Box>
      )}
    </Card>
  )
}
