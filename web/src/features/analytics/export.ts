import { useMutation } from '@tanstack/react-query'
import { api, errorMessage, isUnauthorized } from '@/lib/api'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/ui/toaster'
import { type AnalyticsRequest, exportUrl } from './api'

/** Fetches a period as a CSV file, a row for each day, and hands it to the browser. */
export function useExportAnalytics() {
  return useMutation({
    mutationFn: async (asked: AnalyticsRequest) => {
      const { blob, name } = await api.file(exportUrl(asked))
      saveFile(blob, name ?? `analytics-${asked.period}.csv`)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = errorMessage(error, 'Your figures could not be exported. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
