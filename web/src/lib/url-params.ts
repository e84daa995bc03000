import { type NavigateOptions, useSearchParams } from 'react-router-dom'

/** Changes to the query string by parameter. A parameter without a value is removed. */
type Changes = Record<string, string | null | undefined>

/**
 * Returns the parameters in the query string, and a function that changes some of them and keeps the others. A change
 * replaces the entry in the browser's history.
 */
export function useUrlParams() {
  const [params, setParams] = useSearchParams()
  const change = (changes: Changes, options?: NavigateOptions) =>
    setParams(
      (current) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) current.set(name, value)
          else current.delete(name)
        }
        return current
      },
      // Without `flushSync`, a second change in quick succession would start from the old parameters.
      { replace: true, flushSync: true, ...options },
    )
  return [params, change] as const
}
