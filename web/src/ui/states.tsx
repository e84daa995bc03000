import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './Button'
import { CloudIllustration } from './illustrations'

/** Shows that there is nothing here yet, with a title and optionally an illustration, more text and an action. */
export function EmptyState({
  illustration,
  title,
  text,
  action,
  as = 'h2',
}: {
  illustration?: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
  /** The heading's level in the page. */
  as?: 'h1' | 'h2' | 'h3'
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
      {illustration && (
        <Box aria-hidden width="9rem" marginBottom="5">
          {illustration}
        </Box>
      )}
      <Box as={as} textStyle="title">
        {title}
      </Box>
      {text && (
        <Box color="muted" marginTop="1.5" maxWidth="26rem" overflowWrap="anywhere" textWrap="balance">
          {text}
        </Box>
      )}
      {action && <Box marginTop="5">{action}</Box>}
    </Box>
  )
}

/** Shows that a screen or section failed to load, with a retry button. */
export function ErrorState({
  message,
  title = t`Couldn't load this`,
  onRetry,
}: {
  message: string
  title?: string
  onRetry?: () => void
}) {
  return (
    <div role="alert">
      <EmptyState
        illustration={<CloudIllustration />}
        title={title}
        text={message}
        action={
          onRetry && (
            <Button variant="outline" onClick={onRetry}>
              {t`Try again`}
            </Button>
          )
        }
      />
    </div>
  )
}

const InlineErrorBox = chakra('div', {
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
    /** `line` for a list, `cover` for the frame of an image or video. */
    shape: {
      line: { paddingBlock: '5' },
      cover: { position: 'absolute', inset: '0', flexDirection: 'column', padding: '4', bg: 'sunken' },
    },
  },
})

/** Shows that a small part of a screen failed to load, with a retry button. */
export function InlineError({
  text,
  onRetry,
  cover = false,
}: {
  text: string
  onRetry: () => void
  /** Whether the error fills its positioned parent. */
  cover?: boolean
}) {
  return (
    <InlineErrorBox role="alert" shape={cover ? 'cover' : 'line'}>
      {text}
      <Button variant="outline" size="sm" onClick={onRetry}>
        {t`Try again`}
      </Button>
    </InlineErrorBox>
  )
}

/** Shows that the data on screen could not be refreshed, with a retry button. */
export function RefreshError({
  query,
}: {
  query: { isRefetchError: boolean; refetch: () => Promise<unknown> }
}) {
  if (!query.isRefetchError) return null
  return (
    <InlineError text={t`Couldn't refresh. Showing the last results.`} onRetry={() => void query.refetch()} />
  )
}

/** Shows why a form was not submitted. Shows nothing if there is no error. */
export function ErrorText({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Box role="alert" textStyle="small" color="danger.text" overflowWrap="anywhere">
      {children}
    </Box>
  )
}
