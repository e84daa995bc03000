import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { errorMessage, NetworkError } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { AlertIcon, ChevronDownIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { amountCardNames, type OverviewCard } from '../model'

/**
 * Shows a card with a heading and, optionally, text below the heading and an action beside it. With `flush`, the
 * content reaches the edges of the card.
 */
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
  const headingId = useId()
  const padding = { base: '4', md: '5' }
  return (
    <Card
      inset
      as="section"
      aria-labelledby={headingId}
      display="flex"
      flexDirection="column"
      minWidth="0"
      overflow="hidden"
    >
      <Box
        display="flex"
        alignItems="baseline"
        justifyContent="space-between"
        // On phones, an action that does not fit beside the text moves below it.
        flexWrap={{ base: 'wrap', sm: 'nowrap' }}
        columnGap="4"
        rowGap="3"
        paddingInline={padding}
        paddingTop={padding}
        paddingBottom="3"
      >
        <Box minWidth="0">
          <Box as="h2" id={headingId} textStyle="title">
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
      <Box flex="1" {...(!flush && { paddingInline: padding, paddingBottom: padding })}>
        {children}
      </Box>
    </Card>
  )
}

/**
 * Links to the transactions that make up the amount of an overview card. Shows a label or, with `iconOnly`, an arrow.
 * The click area fills the nearest positioned ancestor; buttons in that ancestor need `zIndex="raised"`.
 */
export function TransactionsLink({ card, iconOnly = false }: { card: OverviewCard; iconOnly?: boolean }) {
  const cardName = t(amountCardNames[card])
  return (
    <StretchedLink
      to={paths.earnings.getHref('transactions', { of: card })}
      aria-label={t`View transactions: ${cardName}`}
    >
      {iconOnly ? (
        <Box as="span" display="block" color="muted" fontSize="lg" transform="rotate(-90deg)">
          <ChevronDownIcon />
        </Box>
      ) : (
        t`View transactions`
      )}
    </StretchedLink>
  )
}

const StretchedLink = chakra(Link, {
  base: {
    textStyle: 'small',
    fontWeight: 'medium',
    color: 'ember.text',
    _hover: { textDecoration: 'underline' },
    _after: { content: '""', position: 'absolute', inset: '0', borderRadius: 'lg' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** Shows progress toward an amount as a bar. `valueText` describes it to screen readers. */
export function ProgressBar({
  label,
  fraction,
  valueText,
  isComplete = false,
}: {
  label: string
  /** From 0 to 1. Values outside this range are clamped. */
  fraction: number
  valueText: string
  isComplete?: boolean
}) {
  const percent = Math.round(Math.max(0, Math.min(1, fraction)) * 100)
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      height="2.5"
      borderRadius="full"
      bg="pressed"
      overflow="hidden"
    >
      <Box
        height="100%"
        borderRadius="full"
        bg={isComplete ? 'success.solid' : 'ember.ring'}
        transition="width {durations.slow} {easings.out}"
        style={{ width: `${percent}%` }}
      />
    </Box>
  )
}

/** Shows why a form failed to submit, with the server's message if there is one. */
export function FormError({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error !== null && (
        <Box display="flex" gap="1.5" textStyle="small" color="danger.text" paddingTop="3">
          <Box as="span" marginTop="0.5" flexShrink={0}>
            <AlertIcon />
          </Box>
          <Box as="span" minWidth="0" overflowWrap="anywhere">
            {error instanceof NetworkError
              ? t`The connection was lost. Try again.`
              : errorMessage(error, t`Something went wrong. Try again.`)}
          </Box>
        </Box>
      )}
    </div>
  )
}
