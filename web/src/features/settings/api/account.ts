import { useMutation } from '@tanstack/react-query'
import { api, errorMessage, isUnauthorized } from '@/lib/api'
import { saveFile } from '@/lib/save-file'
import { deleteAccountAndSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'

/** Whether an archive is all there: its last field says so. */
async function isWhole(blob: Blob): Promise<boolean> {
  return (await blob.slice(-32).text()).trimEnd().endsWith('"complete":true}')
}

/** Fetches everything that the person made or is known by, and hands it over once all of it is there. */
export function useDownloadData() {
  return useMutation({
    mutationFn: async () => {
      const { blob, name } = await api.file('/api/account/export')
      if (!(await isWhole(blob))) throw new Error('The archive broke off.')
      saveFile(blob, name ?? 'ovation-data.json')
    },
    onSuccess: () => toast({ title: 'Your data is downloaded' }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = errorMessage(error, 'Your data could not be downloaded. Please try again.')
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}

/** Deletes one's account for good, and leaves. What stands in the way is for the form to say. */
export function useDeleteAccount(userId: string) {
  return useMutation({
    mutationFn: (form: { password: string; giveUpBalance: boolean }) =>
      deleteAccountAndSignOut(userId, () => api.delete('/api/account', form)),
  })
}
