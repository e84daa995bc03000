import { errorMessage, isUnauthorized } from '@/lib/api'
import { toast } from '@/ui/toaster'

/** Says that something did not work: in the server's words, else in those given. */
export function showError(error: unknown, fallback: string): void {
  // Whose session is over is told so, and led to sign in.
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: errorMessage(error, fallback), tone: 'destructive' })
}
