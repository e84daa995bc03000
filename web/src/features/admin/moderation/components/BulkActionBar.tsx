import { Box } from '@chakra-ui/react'
import type { AdminCase, DecisionKind } from '@contract/moderation.ts'
import { Button } from '@/ui/Button'
import { bottomBarAttribute } from '@/ui/toaster'
import { availableDecisions, decisionNames, pluralizeCases } from '../model'

/** What can be done with the cases that were chosen, alike for all of them. */
export function BulkActionBar({
  cases,
  onDecide,
  onClear,
}: {
  cases: readonly AdminCase[]
  onDecide: (decision: DecisionKind, from: HTMLElement) => void
  onClear: () => void
}) {
  return (
    <Box
      {...bottomBarAttribute}
      role="region"
      aria-label="Chosen cases"
      position="sticky"
      zIndex="sticky"
      bottom={{ base: 'calc({sizes.bottomBar} + env(safe-area-inset-bottom))', md: '0' }}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3"
      bg="raised"
      borderTopWidth="1px"
      borderBottomRadius={{ md: 'lg' }}
      boxShadow="mid"
    >
      <Box role="status" textStyle="label" marginInlineEnd="auto" fontVariantNumeric="tabular-nums">
        {pluralizeCases(cases.length)} chosen
      </Box>
      {availableDecisions(cases.map(({ kind }) => kind)).map((decision) => (
        <Button
          key={decision}
          size="sm"
          variant="outline"
          paddingInline={{ base: '3', sm: '4' }}
          onClick={({ currentTarget }) => onDecide(decision, currentTarget)}
        >
          {decisionNames[decision]}
        </Button>
      ))}
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </Box>
  )
}
