import { Box, chakra } from '@chakra-ui/react'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import type { Comparison } from '../model'
import { ComparisonText } from './ComparisonText'

/** The cards beside each other: four on a wide screen, two on a phone. */
const Row = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
    gap: { base: '0', md: '4' },
  },
})

/** One figure; `compared` is null where there is nothing to compare. */
export interface Metric {
  name: string
  value: string
  compared: Comparison | null
}

export function MetricCards({ figures, pale }: { figures: Metric[]; pale: boolean }) {
  return (
    <Row aria-busy={pale || undefined} opacity={pale ? 0.5 : undefined} transition="opacity {durations.fast}">
      {figures.map(({ name, value, compared }) => (
        <Card key={name} padding="4" minWidth="0">
          <Box as="dt" textStyle="small" color="muted">
            {name}
          </Box>
          <Box as="dd">
            <Box textStyle="heading" fontSize={{ base: '2xl', md: '3xl' }} fontVariantNumeric="tabular-nums">
              {value}
            </Box>
            {compared && <ComparisonText of={compared} />}
          </Box>
        </Card>
      ))}
    </Row>
  )
}

export function MetricCardsSkeleton() {
  return (
    <Loading label="Loading your figures">
      <Row as="div">
        {['first', 'second', 'third', 'fourth'].map((one) => (
          <Card key={one} padding="4">
            <Skeleton height="3" width="40%" />
            <Skeleton height="8" width="60%" marginTop="2" />
            <Skeleton height="3" width="85%" marginTop="2" />
          </Card>
        ))}
      </Row>
    </Loading>
  )
}
