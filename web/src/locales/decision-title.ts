import type { Decision, SubjectKind } from '@contract/moderation.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { fullTime } from '@/lib/time'

const contentDecisions: Record<'warn' | 'hide' | 'remove', Record<SubjectKind, MessageDescriptor>> = {
  warn: {
    post: msg`You were warned about your post`,
    comment: msg`You were warned about your comment`,
    message: msg`You were warned about your message`,
    user: msg`You were warned about your profile`,
  },
  hide: {
    post: msg`Your post was hidden`,
    comment: msg`Your comment was hidden`,
    message: msg`Your message was hidden`,
    user: msg`Your profile was hidden`,
  },
  remove: {
    post: msg`Your post was removed`,
    comment: msg`Your comment was removed`,
    message: msg`Your message was removed`,
    user: msg`Your profile was removed`,
  },
}

/** Returns what moderators decided about the user or their content, such as 'Your post was hidden'. */
export function decisionTitle({
  kind,
  decision,
  suspendedUntil,
}: Pick<Decision, 'kind' | 'decision'> & { suspendedUntil?: string | null | undefined }): string {
  if (decision !== 'suspend') return t(contentDecisions[decision][kind])
  if (!suspendedUntil) return t`Your account was suspended`
  const endTime = fullTime(suspendedUntil)
  return t`Your account was suspended until ${endTime}`
}
