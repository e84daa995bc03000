import { intervals } from '@contract/intervals.ts'
import { openLoginPage } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'

const texts = {
  comment: 'Please log in to post a comment.',
  reply: 'Please log in to post a reply.',
} as const

/** Tells a visitor what an account is needed for, and leads to the sign-in page, which leads back here. */
export function promptSignIn(what: keyof typeof texts): void {
  toast({ title: texts[what] })
  setTimeout(openLoginPage, intervals.redirectDelayMs)
}
