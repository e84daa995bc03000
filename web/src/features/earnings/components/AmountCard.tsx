import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { dollars } from '@/lib/format'
import { Card } from '@/ui/layout'
import { StretchedLink } from './StretchedLink'

/** One number that people come for, what it means, and the way to the rows it is made of. */
export function AmountCard({
  title,
  amount,
  action,
  rows,
  rowsLabel,
  children,
}: {
  title: string
  amount: number
  action?: ReactNode
  /** The address of its rows, and what the link there says. */
  rows: string
  rowsLabel: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card
      as="section"
      aria-labelledby={id}
      position="relative"
      display="flex"
      flexDirection="column"
      minWidth="0"
      padding={{ base: '4', md: '5' }}
      transition="border-color {durations.fast}"
      _hover={{ borderColor: 'outline' }}
    >
      <Box as="h2" id={id} textStyle="small" fontWeight="medium" color="muted">
        {title}
      </Box>
      <Box
        textStyle="display"
        fontSize={{ base: '3xl', md: '3xl' }}
        fontVariantNumeric="tabular-nums"
        marginTop="1"
        overflowWrap="anywhere"
      >
        {dollars(amount)}
      </Box>
      <Box textStyle="small" color="muted" marginTop="1.5" marginBottom="3">
        {children}
      </Box>
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        columnGap="3"
        rowGap="2"
        marginTop="auto"
      >
        <StretchedLink to={rows} aria-label={`${rowsLabel}: ${title}`}>
          {rowsLabel}
        </StretchedLink>
        {action && (
          <Box position="relative" zIndex="raised">
            {action}
          </Box>
        )}
      </Box>
    </Card>
  )
}
