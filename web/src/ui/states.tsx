import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Button } from './Button'
import { CloudIllustration } from './illustrations'

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
        drawing={<CloudIllustration />}
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

const Failed = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    alignContent: 'center',
    justifyContent: 'center',
    gap: '3',
    textAlign: 'center',
    color: 'muted',
  },
  variants: {
    /** `line` stands in a list, `cover` in the frame of a picture or video. */
    shape: {
      line: { paddingBlock: '5' },
      cover: { position: 'absolute', inset: '0', flexDirection: 'column', padding: '4', bg: 'sunken' },
    },
  },
})

/** A part of a screen did not come: says so in its place, and offers to try again. */
export function InlineError({
  text,
  onRetry,
  cover = false,
}: {
  text: string
  onRetry: () => void
  /** Fills the frame that it stands in. */
  cover?: boolean
}) {
  return (
    <Failed role="alert" shape={cover ? 'cover' : 'line'}>
      {text}
      <Button variant="outline" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </Failed>
  )
}
