import { Transaction, type TransactionsCard, type TransactionType } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { api, messageOf, withQuery } from '@/lib/api'
import { keepFile } from '@/lib/keepFile'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { earningsKeys, freshWhenShown } from './keys'

/** Which transactions: of one type, and those that one card of the overview is made of. */
export type Filter = { type?: TransactionType | undefined; of?: TransactionsCard | undefined }

/** The transactions of a filter, the latest first. */
export const transactionsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [...earningsKeys.transactions, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: limits.page.transactions, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/earnings/transactions', query), Transaction, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    ...freshWhenShown,
  })

/** Downloads the transactions of a filter as CSV. */
export function useExport() {
  return useMutation({
    scope: { id: 'earnings:export' },
    mutationFn: async (filter: Filter) => {
      const { blob, name } = await api.file(withQuery('/api/earnings/transactions/export', filter))
      keepFile(blob, name ?? 'ovation-transactions.csv')
    },
    onSuccess: () => toast({ title: 'Your transactions are downloaded' }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = messageOf(error, 'Your transactions could not be downloaded. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
