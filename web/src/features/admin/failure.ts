import { messageOf } from '@/lib/api'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

/** Says that something did not work: in the server's words, else in those given. */
export function tellFailure(error: unknown, fallback: string): void {
  // Whose session is over is told so, and led to sign in.
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: messageOf(error, fallback), tone: 'destructive' })
}
