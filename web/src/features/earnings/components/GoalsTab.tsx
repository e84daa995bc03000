import { Box } from '@chakra-ui/react'
import type { Goals } from '@contract/earnings.ts'
import { useQuery } from '@tanstack/react-query'
import { dollars } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, InlineError } from '@/ui/states'
import { goalsQuery } from '../goals-api'
import { GoalCard } from './GoalCard'

const people = new Intl.NumberFormat('en-US')
const goals: { name: keyof Goals; title: string; about: string; format: (value: number) => string }[] = [
  {
    name: 'monthlyRevenue',
    title: 'Monthly Revenue Goal',
    about: 'Earned since the first of this month.',
    format: dollars,
  },
  {
    name: 'subscribers',
    title: 'Subscriber Goal',
    about: 'People who subscribe to you now.',
    format: (value) => people.format(value),
  },
  {
    name: 'yearlyRevenue',
    title: 'Yearly Projection',
    about: 'Twelve times the last 30 days.',
    format: dollars,
  },
]

const grid = {
  display: 'grid',
  gap: { base: '2', md: '4' },
  gridTemplateColumns: { base: '1fr', lg: 'repeat(3, minmax(0, 1fr))' },
}

/** What the creator aims at, how far that is, and the way to aim at something else. */
export function GoalsTab() {
  const { user } = useCurrentUser()
  const answer = useQuery(goalsQuery)
  if (answer.isPending) return <Waiting />
  if (!answer.data) {
    return (
      <Card>
        <ErrorState message="Your goals did not load." onRetry={() => void answer.refetch()} />
      </Card>
    )
  }
  const { data } = answer
  return (
    <>
      {answer.isRefetchError && (
        <InlineError text="What is new did not load." onRetry={() => void answer.refetch()} />
      )}
      <Box css={grid}>
        {user &&
          goals.map((goal) => (
            <GoalCard
              key={goal.name}
              {...goal}
              userId={user.id}
              goal={data.goals[goal.name]}
              now={data.now[goal.name]}
            />
          ))}
      </Box>
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your goals" css={grid}>
      {goals.map(({ name }) => (
        <Card key={name} padding={{ base: '4', md: '5' }}>
          <Skeleton height="4" width="50%" />
          <Skeleton height="9" width="60%" marginTop="5" />
          <Skeleton height="2.5" borderRadius="full" marginTop="5" />
          <Skeleton height="3" width="80%" marginTop="4" />
        </Card>
      ))}
    </Loading>
  )
}
