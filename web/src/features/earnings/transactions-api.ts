import { Transaction, type TransactionsCard, type TransactionType } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { api, errorMessage, isUnauthorized, withQuery } from '@/lib/api'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/ui/toaster'
import { alwaysStale, earningsKeys } from './keys'

/** Which transactions: of one type, and those that one card of the overview is made of. */
export type TransactionFilter = { type?: TransactionType | undefined; of?: TransactionsCard | undefined }

/** The transactions of a filter, the latest first. */
export const transactionsQuery = (filter: TransactionFilter) =>
  infiniteQueryOptions({
    queryKey: [...earningsKeys.transactions, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: limits.page.transactions, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/earnings/transactions', query), Transaction, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    ...alwaysStale,
  })

/** Downloads the transactions of a filter as CSV. */
export function useExportTransactions() {
  return useMutation({
    scope: { id: 'earnings:export' },
    mutationFn: async (filter: TransactionFilter) => {
      const { blob, name } = await api.file(withQuery('/api/earnings/transactions/export', filter))
      saveFile(blob, name ?? 'ovation-transactions.csv')
    },
    onSuccess: () => toast({ title: 'Your transactions are downloaded' }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = errorMessage(error, 'Your transactions could not be downloaded. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
