import { useMutation } from '@tanstack/react-query'
import { api, messageOf } from '@/lib/api'
import { keepFile } from '@/lib/keepFile'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { type Asked, exportAddress } from './figures'

/** Fetches a period as a CSV file, a row for each day, and hands it to the browser. */
export function useExport() {
  return useMutation({
    mutationFn: async (asked: Asked) => {
      const { blob, name } = await api.file(exportAddress(asked))
      keepFile(blob, name ?? `analytics-${asked.period}.csv`)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = messageOf(error, 'Your figures could not be exported. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
