import { Box } from '@chakra-ui/react'
import type { AdminCase, BulkDecisionResponse, CaseState, DecisionKind } from '@contract/moderation.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/errors'
import { uniqueItems } from '@/lib/query-cache'
import { Button } from '@/ui/Button'
import { ShieldIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { CheckboxField } from '@/ui/RadioGroup'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { SelectionBar } from '../../components/SelectionBar'
import { type CaseFilter, casesQuery, failureReasons } from '../api'
import { availableDecisions, decisionName } from '../model'
import type { CaseDialogKind } from './CaseDialogs'
import { CaseRow } from './CaseRow'

/** The maximum number of cases in a bulk decision. */
const maxSelected = 50

/** Shows the cases that match the filter, and the bulk actions on the selected ones. */
export function CaseList({
  filter,
  selected,
  partialResult,
  onSelect,
  onClearSelection,
  onShowUserCases,
  onOpenDialog,
}: {
  filter: CaseFilter
  /** Case ids. Ids of cases that are no longer listed are ignored. */
  selected: readonly string[]
  /** The result of the last decision, if it failed for some of its cases. Those cases might have left the list. */
  partialResult: BulkDecisionResponse | undefined
  onSelect: (ids: readonly string[]) => void
  /** Clears the selection and the result. */
  onClearSelection: () => void
  onShowUserCases: (userId: string) => void
  onOpenDialog: (cases: readonly AdminCase[], kind: CaseDialogKind, trigger: HTMLElement) => void
}) {
  const list = useInfiniteQuery(casesQuery(filter))
  if (list.isPending) return <CaseListSkeleton />
  if (!list.data) {
    return (
      <ErrorState
        message={errorMessage(list.error, t`Couldn't load cases. Try again.`)}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const cases = uniqueItems(list.data.pages)
  const openCases = cases.filter(({ state }) => state === 'open')
  const selectedCases = openCases.filter(({ id }) => selected.includes(id))
  const selectionLimit = Math.min(openCases.length, maxSelected)
  const selectionBar = (selectedCases.length > 0 || partialResult) && (
    <BulkActionBar
      cases={selectedCases}
      partialResult={partialResult}
      onDecide={(decision, trigger) => onOpenDialog(selectedCases, decision, trigger)}
      onClear={onClearSelection}
    />
  )
  if (cases.length === 0 && !list.hasNextPage) {
    return (
      <>
        <EmptyCaseList filter={filter} />
        {selectionBar}
      </>
    )
  }
  return (
    <>
      <RefreshError query={list} />
      {filter.state === 'open' && openCases.length > 1 && (
        <Box paddingInline={{ base: '4', md: '5' }} paddingBottom="1">
          <CheckboxField
            label={t`Select all on this page`}
            hint={openCases.length > maxSelected && t`You can select up to ${maxSelected} cases at a time.`}
            checked={selectedCases.length === openCases.length}
            mixed={selectedCases.length > 0}
            onChange={() =>
              onSelect(
                selectedCases.length < selectionLimit
                  ? openCases.slice(0, selectionLimit).map(({ id }) => id)
                  : [],
              )
            }
          />
        </Box>
      )}
      <Box as="ul" listStyleType="none">
        {cases.map((moderationCase) => (
          <CaseRow
            key={moderationCase.id}
            moderationCase={moderationCase}
            selected={filter.state === 'open' ? selected.includes(moderationCase.id) : undefined}
            onSelect={(isSelected) => {
              const others = selected.filter((id) => id !== moderationCase.id)
              onSelect(isSelected ? [...others, moderationCase.id].slice(-maxSelected) : others)
            }}
            onShowUserCases={() => onShowUserCases(moderationCase.personId)}
            onOpenDialog={(kind, trigger) => onOpenDialog([moderationCase], kind, trigger)}
          />
        ))}
      </Box>
      <ShowMoreButton list={list} />
      {selectionBar}
    </>
  )
}

const emptyTexts: Record<CaseState, [title: MessageDescriptor, text: MessageDescriptor]> = {
  open: [msg`No open reports`, msg`New reports will appear here.`],
  appealed: [msg`No open appeals`, msg`New appeals will appear here.`],
  decided: [msg`No decisions yet`, msg`Decided cases will appear here.`],
  closed: [msg`No answered appeals yet`, msg`Cases will appear here once their appeal is answered.`],
}

function EmptyCaseList({ filter: { state, kind } }: { filter: CaseFilter }) {
  const [title, text] = emptyTexts[state ?? 'decided']
  return (
    <EmptyState
      as="h3"
      illustration={<ShieldIllustration />}
      title={t(title)}
      text={kind ? t`There are no cases of this type.` : t(text)}
    />
  )
}

function CaseListSkeleton() {
  return (
    <Loading label={t`Loading cases`}>
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} display="flex" gap="3" paddingInline="5" paddingBlock="3" borderTopWidth="1px">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="30%" marginTop="1" />
            <Skeleton height="3.5" width="80%" marginTop="2.5" />
            <Skeleton height="3" width="40%" marginTop="2.5" />
          </Box>
          <Skeleton height="9" width="10rem" alignSelf="center" borderRadius="full" hideBelow="lg" />
        </Box>
      ))}
    </Loading>
  )
}

/** Shows the decisions available for all selected cases, and the result of the last decision if some cases failed. */
function BulkActionBar({
  cases,
  partialResult,
  onDecide,
  onClear,
}: {
  cases: readonly AdminCase[]
  partialResult: BulkDecisionResponse | undefined
  onDecide: (decision: DecisionKind, trigger: HTMLElement) => void
  onClear: () => void
}) {
  const count = cases.length
  const kinds = cases.map(({ kind }) => kind)
  return (
    <SelectionBar
      label={t`Selected cases`}
      status={count > 0 && t`${plural(count, { one: '# case selected', other: '# cases selected' })}`}
      notice={partialResult && partialResultText(partialResult)}
      onClear={onClear}
    >
      {availableDecisions(kinds).map((decision) => (
        <Button
          key={decision}
          size="sm"
          variant="outline"
          paddingInline={{ base: '3', sm: '4' }}
          onClick={({ currentTarget }) => onDecide(decision, currentTarget)}
        >
          {decisionName(decision, kinds)}
        </Button>
      ))}
    </SelectionBar>
  )
}

/** Returns how many cases were decided, how many were not, and why. */
function partialResultText({ decided, failed }: BulkDecisionResponse): string {
  const reasons = failureReasons(failed)
  const decidedText = t`${plural(decided.length, { one: '# case decided.', other: '# cases decided.' })}`
  const failedText = t`${plural(failed.length, {
    one: `# case not decided: ${reasons}`,
    other: `# cases not decided: ${reasons}`,
  })}`
  return `${decidedText} ${failedText}`
}
