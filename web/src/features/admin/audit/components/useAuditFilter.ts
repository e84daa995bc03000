import { AuditQuery } from '@contract/audit.ts'
import { useSearchParams } from 'react-router-dom'
import type { AuditFilter } from '../api'

const names = ['action', 'actor', 'target', 'from', 'to'] as const

/** The filter that the address names, so that it can be linked; what of it makes no sense is left out. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams()
  const filter: AuditFilter = {}
  for (const name of names) {
    const { data } = AuditQuery.shape[name].safeParse(params.get(name) || undefined)
    if (data) filter[name] = data
  }
  const set = (changes: { [Name in keyof AuditFilter]?: string | undefined }) =>
    setParams(
      (before) => {
        for (const name of names) {
          if (!(name in changes)) continue
          const value = changes[name]
          if (value) before.set(name, value)
          else before.delete(name)
        }
        return before
      },
      // At once, or a second press would be judged by what was before.
      { replace: true, flushSync: true, preventScrollReset: true },
    )
  return {
    filter,
    isSet: names.some((name) => filter[name] !== undefined),
    change: (name: keyof AuditFilter, value: string | undefined) => set({ [name]: value }),
    clear: () => set(Object.fromEntries(names.map((name) => [name, undefined]))),
  }
}
