import { Box } from '@chakra-ui/react'
import { type BulkDecisionResponse, CaseSort, CaseState, SubjectKind } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useUrlParams } from '@/lib/url-params'
import { SelectField } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { Card } from '@/ui/layout'
import { labelWithCount } from '../../label-with-count'
import { userStatsQuery } from '../../users/api'
import type { CaseFilter } from '../api'
import { type CaseDialogState, CaseDialogs } from '../components/CaseDialogs'
import { CaseList } from '../components/CaseList'
import { subjectKindNames } from '../model'

/** Shows the moderation cases. `?cases=` selects their state. */
export default function ReportsTab() {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { filter, showState, showKind, showUser, sortBy } = useCaseFilter()
  const { data: stats } = useQuery(userStatsQuery)
  const [dialog, setDialog] = useState<CaseDialogState>()
  const [selected, setSelected] = useState<readonly string[]>([])
  const [partialResult, setPartialResult] = useState<BulkDecisionResponse>()
  const clearSelection = () => {
    setSelected([])
    setPartialResult(undefined)
  }
  const states: { value: CaseState | 'all'; label: string }[] = [
    {
      value: 'open',
      label: labelWithCount(t({ message: 'Open', context: 'moderation cases' }), stats?.openCases),
    },
    { value: 'appealed', label: labelWithCount(t`Appeals`, stats?.openAppeals) },
    { value: 'decided', label: t({ message: 'Decided', context: 'moderation cases' }) },
    { value: 'closed', label: t`Answered appeals` },
    ...(filter.userId ? [{ value: 'all', label: t`All about one user` } as const] : []),
  ]
  return (
    <Card as="section" aria-labelledby={id}>
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="flex-end"
        justifyContent="space-between"
        gap="4"
        padding={{ base: '4', md: '5' }}
      >
        <Box flex="1" minWidth={{ base: '100%', sm: '20rem' }}>
          <Box
            as="h2"
            id={id}
            ref={heading}
            tabIndex={-1}
            textStyle="title"
            marginBottom={{ base: '3', md: '0' }}
          >
            {t`Reports`}
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5" marginBottom="3" hideBelow="md">
            {filter.sort === 'attention' ? (
              <Trans>
                One case per reported item, shown as it was when reported. Cases with the most reports come
                first, then those that have waited longest.
              </Trans>
            ) : (
              <Trans>
                One case per reported item, shown as it was when reported. Sorted by the latest activity.
              </Trans>
            )}
          </Box>
          <FilterChips
            label={t`Show`}
            options={states}
            value={filter.state ?? 'all'}
            onChange={(state) => {
              clearSelection()
              if (state !== 'all') showState(state)
            }}
          />
        </Box>
        <Box
          width={{ base: '100%', sm: '23rem' }}
          display="grid"
          gridTemplateColumns="minmax(0, 1.2fr) minmax(0, 1fr)"
          gap="4"
        >
          <SelectField
            label={t`Sort by`}
            value={filter.sort}
            onChange={({ target }) => sortBy(CaseSort.parse(target.value))}
          >
            {isUndecided(filter.state) && <option value="attention">{t`Needs attention`}</option>}
            <option value="oldest">{t`Oldest first`}</option>
            <option value="newest">{t`Newest first`}</option>
          </SelectField>
          <SelectField
            label={t`Type`}
            value={filter.kind ?? ''}
            onChange={({ target }) => {
              clearSelection()
              showKind(SubjectKind.safeParse(target.value).data ?? null)
            }}
          >
            <option value="">{t`All types`}</option>
            {SubjectKind.options.map((kind) => (
              <option key={kind} value={kind}>
                {t(subjectKindNames[kind])}
              </option>
            ))}
          </SelectField>
        </Box>
      </Box>
      <CaseList
        filter={filter}
        selected={selected}
        partialResult={partialResult}
        onSelect={setSelected}
        onClearSelection={() => {
          clearSelection()
          heading.current?.focus({ preventScroll: true })
        }}
        onShowUserCases={(userId) => {
          clearSelection()
          showUser(userId)
        }}
        onOpenDialog={(cases, kind, trigger) => {
          if (kind !== 'details') setPartialResult(undefined)
          setDialog((previous) => ({
            open: true,
            openCount: (previous?.openCount ?? 0) + 1,
            kind,
            cases,
            trigger,
          }))
        }}
      />
      {dialog && (
        <CaseDialogs
          dialog={dialog}
          onClose={() => setDialog((current) => current && { ...current, open: false })}
          onDecided={(response) => {
            setSelected((ids) => ids.filter((id) => !response.decided.includes(id)))
            setPartialResult(response.failed.length > 0 ? response : undefined)
          }}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}

const isUndecided = (state: CaseState | undefined) => state === 'open' || state === 'appealed'

/**
 * Reads and changes the filter in the URL: `?cases=` is the state, `?kind=` the kind of subject, `?person=` a user's id
 * and `?sort=` the order. By default, open and appealed cases are sorted oldest first, and all others newest first.
 * Only open and appealed cases can be sorted by 'attention'.
 */
function useCaseFilter() {
  const [params, changeParams] = useUrlParams()
  const userId = params.get('person') ?? undefined
  const state = CaseState.safeParse(params.get('cases')).data ?? (userId ? undefined : 'open')
  const defaultSort: CaseSort = isUndecided(state) ? 'oldest' : 'newest'
  const sort = CaseSort.safeParse(params.get('sort')).data ?? defaultSort
  const filter: CaseFilter = {
    state,
    kind: SubjectKind.safeParse(params.get('kind')).data,
    userId,
    sort: sort === 'attention' && !isUndecided(state) ? defaultSort : sort,
  }
  return {
    filter,
    showState: (newState: CaseState) =>
      changeParams({
        cases: newState === 'open' ? null : newState,
        kind: filter.kind,
        person: null,
        sort: null,
      }),
    showKind: (newKind: SubjectKind | null) => changeParams({ kind: newKind }),
    /** Shows all cases of a user, in every state. */
    showUser: (id: string) => changeParams({ cases: null, kind: null, person: id, sort: null }),
    sortBy: (sort: CaseSort) => changeParams({ sort: sort === defaultSort ? null : sort }),
  }
}
