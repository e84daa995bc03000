import type { EarningSource } from '@contract/earnings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '@/lib/config'

/** The display name of each source of earnings. */
export const earningSourceNames: Record<EarningSource, MessageDescriptor> = {
  subscription: msg`Subscriptions`,
  tip: msg`Tips & Donations`,
  premium_content: msg`Premium Content`,
}

/** Returns this instance's payment mode. Loads it if `enabled` is true. Users cannot pay until the mode is known. */
export function usePaymentsConfig(enabled: boolean) {
  const { data, isError, isFetching, refetch } = useQuery({ ...configQuery, enabled })
  return { payments: data?.payments, hasFailed: isError && !isFetching, retry: () => void refetch() }
}
