import { Box } from '@chakra-ui/react'
import { type CaseState, SubjectKind } from '@contract/moderation.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { SelectField } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { Card } from '@/ui/layout'
import { userStatsQuery } from '../../users/api'
import { type CaseDialogState, CaseDialogs } from '../components/CaseDialogs'
import { CaseList } from '../components/CaseList'
import { subjectKindNames } from '../model'
import { useCaseFilter } from './useCaseFilter'

const counted = (name: string, count: number | undefined) => (count ? `${name} ${count}` : name)

/** What people reported, and what was decided about it; `?cases=` shows those of another state. */
export default function ReportsTab() {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { filter, showState, showKind, showPerson } = useCaseFilter()
  const { data: stats } = useQuery(userStatsQuery)
  const [asking, setAsking] = useState<CaseDialogState>()
  const [selected, setSelected] = useState<readonly string[]>([])
  const states: { value: CaseState | 'all'; label: string }[] = [
    { value: 'open', label: counted('Open', stats?.openCases) },
    { value: 'appealed', label: counted('Appeals', stats?.openAppeals) },
    { value: 'decided', label: 'Decided' },
    { value: 'closed', label: 'Appeals answered' },
    ...(filter.personId ? [{ value: 'all', label: 'All about one person' } as const] : []),
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
          <Box as="h2" id={id} ref={heading} tabIndex={-1} textStyle="title">
            Reports
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5" marginBottom="3">
            One case for each reported thing, as it was when it was reported. What moved last comes first.
          </Box>
          <FilterChips
            label="Show"
            options={states}
            value={filter.state ?? 'all'}
            onChange={(state) => {
              setSelected([])
              if (state !== 'all') showState(state)
            }}
          />
        </Box>
        <Box width={{ base: '100%', sm: '11rem' }}>
          <SelectField
            label="Kind"
            value={filter.kind ?? ''}
            onChange={({ target }) => {
              setSelected([])
              showKind(SubjectKind.safeParse(target.value).data ?? null)
            }}
          >
            <option value="">All kinds</option>
            {SubjectKind.options.map((kind) => (
              <option key={kind} value={kind}>
                {subjectKindNames[kind]}
              </option>
            ))}
          </SelectField>
        </Box>
      </Box>
      <CaseList
        filter={filter}
        selected={selected}
        onSelect={setSelected}
        onPerson={(person) => {
          setSelected([])
          showPerson(person)
        }}
        onAsk={(cases, asked, from) =>
          setAsking((last) => ({ open: true, turn: (last?.turn ?? 0) + 1, cases, asked, from }))
        }
      />
      {asking && (
        <CaseDialogs
          asking={asking}
          onClose={() => setAsking((now) => now && { ...now, open: false })}
          onDecided={({ decided }) => setSelected((before) => before.filter((one) => !decided.includes(one)))}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}
