import { Box } from '@chakra-ui/react'
import type { AdminCase, CaseState } from '@contract/moderation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/api'
import { Button } from '@/ui/Button'
import { ShieldIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { type CaseFilter, casesQuery } from '../api'
import { BulkActionBar } from './BulkActionBar'
import type { CaseDialogKind } from './CaseActions'
import { CaseCard } from './CaseCard'

/** Cases that one decision takes at most. */
const most = 50

/** The cases that were asked for, and what can be done with those that are chosen among them. */
export function CaseList({
  filter,
  selected,
  onSelect,
  onPerson,
  onAsk,
}: {
  filter: CaseFilter
  /** Ids; those that are no longer in sight count for nothing. */
  selected: readonly string[]
  onSelect: (ids: readonly string[]) => void
  onPerson: (personId: string) => void
  onAsk: (cases: readonly AdminCase[], asked: CaseDialogKind, from: HTMLElement) => void
}) {
  const list = useInfiniteQuery(casesQuery(filter))
  if (list.isPending) return <Waiting />
  if (!list.data) {
    return (
      <ErrorState
        message={errorMessage(list.error, 'The cases did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const cases = unique(list.data.pages.flatMap((page) => page.items))
  if (cases.length === 0 && !list.hasNextPage) return <Nothing filter={filter} />
  const open = cases.filter(({ state }) => state === 'open')
  const chosen = open.filter(({ id }) => selected.includes(id))
  const isAll = chosen.length > 0 && chosen.length === Math.min(open.length, most)
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      {filter.state === 'open' && open.length > 1 && (
        <Box paddingInline={{ base: '4', md: '5' }} paddingBottom="3">
          <Button
            size="sm"
            variant="ghost"
            marginInlineStart="-4"
            onClick={() => onSelect(isAll ? [] : open.slice(0, most).map(({ id }) => id))}
          >
            {isAll ? 'Choose none' : 'Choose all shown'}
          </Button>
        </Box>
      )}
      <Box as="ul" listStyleType="none">
        {cases.map((one) => (
          <CaseCard
            key={one.id}
            one={one}
            selected={filter.state === 'open' ? selected.includes(one.id) : undefined}
            onSelect={(on) =>
              onSelect(on ? [...selected, one.id].slice(-most) : selected.filter((id) => id !== one.id))
            }
            onPerson={() => onPerson(one.personId)}
            onAsk={(asked, from) => onAsk([one], asked, from)}
          />
        ))}
      </Box>
      <ShowMoreButton list={list} />
      {chosen.length > 0 && (
        <BulkActionBar
          cases={chosen}
          onDecide={(decision, from) => onAsk(chosen, decision, from)}
          onClear={() => onSelect([])}
        />
      )}
    </>
  )
}

/** A case that moved while pages were read may be on two of them. */
const unique = (cases: AdminCase[]) => [...new Map(cases.map((one) => [one.id, one])).values()]

const empty: Record<CaseState, [title: string, text: string]> = {
  open: ['Nothing to look at', 'No report waits. That is a good sign.'],
  appealed: ['No appeal waits', 'Nobody disagrees with what was decided.'],
  decided: ['Nothing was decided yet', 'Cases stand here once they are decided.'],
  closed: ['No appeal was answered yet', 'Cases stand here once their appeal is answered.'],
}

function Nothing({ filter: { state, kind } }: { filter: CaseFilter }) {
  const [title, text] = empty[state ?? 'decided']
  return (
    <EmptyState
      as="h3"
      drawing={<ShieldIllustration />}
      title={title}
      text={kind ? 'There is nothing of this kind.' : text}
    />
  )
}

function Waiting() {
  return (
    <Loading label="Loading cases">
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} padding="5" borderTopWidth="1px">
          <Box display="flex" alignItems="center" gap="3">
            <SkeletonCircle />
            <Box flex="1">
              <Skeleton height="3.5" width="30%" />
              <Skeleton height="3" width="20%" marginTop="2" />
            </Box>
          </Box>
          <SkeletonText lines={2} marginTop="4" />
          <Box display="flex" gap="2" marginTop="4">
            {['dismiss', 'warn', 'hide'].map((button) => (
              <Skeleton key={button} height="9" width="5.5rem" borderRadius="full" />
            ))}
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
