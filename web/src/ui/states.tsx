import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Button } from './Button'
import { CloudDrawing } from './drawings'

type Level = 'h1' | 'h2' | 'h3'

/** Nothing here yet: a drawing, one sentence, one thing to do. */
export function EmptyState({
  drawing,
  title,
  text,
  action,
  as = 'h2',
}: {
  drawing?: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
  /** The heading's level in the page. */
  as?: Level
}) {
  return (
    <Box
      display="flex"
      flexDirection="column"
      alignItems="center"
      textAlign="center"
      paddingInline="6"
      paddingBlock={{ base: '10', md: '14' }}
    >
      {drawing && (
        <Box aria-hidden width="9rem" marginBottom="5">
          {drawing}
        </Box>
      )}
      <Box as={as} textStyle="title">
        {title}
      </Box>
      {text && (
        <Box color="muted" marginTop="1.5" maxWidth="26rem" overflowWrap="anywhere">
          {text}
        </Box>
      )}
      {action && <Box marginTop="5">{action}</Box>}
    </Box>
  )
}

/** Something failed where this stands: says what, and offers to try again. */
export function ErrorState({
  message,
  title = 'This did not load',
  onRetry,
}: {
  message: string
  title?: string
  onRetry?: () => void
}) {
  return (
    <div role="alert">
      <EmptyState
        drawing={<CloudDrawing />}
        title={title}
        text={message}
        action={
          onRetry && (
            <Button variant="outline" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      />
    </div>
  )
}
