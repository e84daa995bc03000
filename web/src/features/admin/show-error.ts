import { errorMessage, isUnauthorized } from '@/lib/api'
import { toast } from '@/ui/toaster'

/** Shows an error toast with the server's message, or with `fallback` if there is none. */
export function showError(error: unknown, fallback: string): void {
  // The central error handler redirects to the sign-in page.
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: errorMessage(error, fallback), tone: 'destructive' })
}
