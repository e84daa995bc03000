import { intervals } from '@contract/intervals.ts'
import { goToLogin } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

const texts = {
  comment: 'Please log in to post a comment.',
  reply: 'Please log in to post a reply.',
} as const

/** Tells a visitor what an account is needed for, and leads to the sign-in page, which leads back here. */
export function askToLogIn(what: keyof typeof texts): void {
  toast({ title: texts[what] })
  setTimeout(goToLogin, intervals.redirectDelayMs)
}
