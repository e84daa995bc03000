import { CaseState, SubjectKind } from '@contract/moderation.ts'
import { useSearchParams } from 'react-router-dom'
import type { CaseFilter } from '../api'

/** Which cases the address asks for: `?cases=` a state, `?kind=`, and `?person=` all of one person's. */
export function useCaseFilter() {
  const [params, setParams] = useSearchParams()
  const personId = params.get('person') ?? undefined
  const filter: CaseFilter = {
    state: CaseState.safeParse(params.get('cases')).data ?? (personId ? undefined : 'open'),
    kind: SubjectKind.safeParse(params.get('kind')).data,
    personId,
  }
  const set = (changes: Record<'cases' | 'kind' | 'person', string | null>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) before.delete(name)
          else before.set(name, value)
        }
        return before
      },
      { replace: true, flushSync: true },
    )
  const kind = filter.kind ?? null
  return {
    filter,
    showState: (state: CaseState) => set({ cases: state === 'open' ? null : state, kind, person: null }),
    showKind: (wanted: SubjectKind | null) =>
      set({ cases: params.get('cases'), kind: wanted, person: personId ?? null }),
    /** All cases of one person, whatever became of them. */
    showPerson: (person: string) => set({ cases: null, kind: null, person }),
  }
}
