import { Config } from '@contract/config.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryKeys } from './query-keys'

let loaded: Promise<Config> | null = null

/** What the server tells every page about itself; asked once, and again only after a failure. */
export function getConfig(): Promise<Config> {
  loaded ??= load().catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

// Not through `api`: a call there may renew the session, which needs this answer first.
async function load(): Promise<Config> {
  const response = await fetch('/api/config', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return Config.parse(await response.json())
}

export const configQuery = queryOptions({ queryKey: queryKeys.config, queryFn: getConfig })

/** How payments are made here; looked up while `enabled`. There is nothing to pay before that is known. */
export function usePaymentsConfig(enabled: boolean) {
  const { data, isError, isFetching, refetch } = useQuery({ ...configQuery, enabled })
  return { payments: data?.payments, failed: isError && !isFetching, retry: () => void refetch() }
}
