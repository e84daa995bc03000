import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { forEachConcurrently } from '../jobs/for-each-concurrently.ts'
import {
  claimDueDigests,
  completeDigest,
  type DueDigest,
  readUnread,
  releaseDigest,
  type UnreadSummary,
} from './queries.ts'
import { isMailEnabled, type Mail, sendMail } from './send-mail.ts'
import { type MailLine, renderMail } from './template.ts'
import { unsubscribeHeaders, unsubscribePath } from './unsubscribe.ts'

/** Maximum number of digests per run, and how many of them are sent in parallel. */
const maxDigests = 100
const concurrency = 5
/** After this time, a run releases its remaining digests instead of sending them. */
const maxDurationMs = 120_000

/** The result of a run. `on` is false if mail is disabled. */
export interface DigestResult {
  on: boolean
  sent: number
  failed: number
}

/**
 * Sends the digests that are due, at most `maxDigests`. A digest that fails is retried later and does not affect the
 * others.
 */
export async function sendUnreadDigests(): Promise<DigestResult> {
  if (!isMailEnabled) return { on: false, sent: 0, failed: 0 }
  const digests = await claimDueDigests(maxDigests)
  const deadline = Date.now() + maxDurationMs
  const result = { on: true, sent: 0, failed: 0 }
  await forEachConcurrently(digests, concurrency, async (due) => {
    const outcome = Date.now() > deadline ? 'late' : await sendDigest(due)
    if (outcome === 'sent') result.sent++
    if (outcome === 'failed') result.failed++
    try {
      await (outcome === 'sent' ? completeDigest(due) : releaseDigest(due))
    } catch {
      // The claim ends after an hour. Until then, the user gets no other digest.
      log('warn', 'digest_not_recorded', { userId: due.userId })
    }
  })
  return result
}

async function sendDigest(due: DueDigest): Promise<'sent' | 'empty' | 'failed'> {
  try {
    const unread = await readUnread(due)
    // Since the digest was claimed, everything has been read or deleted, or the user has turned these emails off.
    if (!unread || unread.notificationCount + unread.conversationCount === 0) return 'empty'
    await sendMail(digestMail(unread))
    return 'sent'
  } catch {
    // The error is not logged, because a mail server may include the recipient's address in its message.
    log('warn', 'digest_mail_failed', { userId: due.userId })
    return 'failed'
  }
}

const formatCount = (count: number, noun: string) => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

function digestMail(unread: UnreadSummary): Mail {
  const {
    email,
    unsubscribeToken,
    notifications,
    notificationCount,
    conversations,
    conversationCount,
    messageCount,
  } = unread
  const summary = [
    ...(messageCount > 0 ? [formatCount(messageCount, 'unread message')] : []),
    ...(notificationCount > 0 ? [formatCount(notificationCount, 'notification')] : []),
  ].join(' and ')
  const lines: MailLine[] = [
    ...conversations,
    ...moreLine(conversationCount - conversations.length, 'conversation', '/messages'),
    ...notifications,
    ...moreLine(notificationCount - notifications.length, 'notification', '/notifications'),
  ]
  const mail = renderMail(email, {
    subject: `${summary} on ${env.appName}`,
    heading: 'While you were away',
    lines,
    button: { text: `Open ${env.appName}`, href: conversationCount > 0 ? '/messages' : '/notifications' },
    notes: [
      { text: `You're receiving this email because you have unread activity on ${env.appName}.` },
      { text: 'Unsubscribe from these emails', href: unsubscribePath(unsubscribeToken) },
      { text: 'Change your notification settings', href: '/settings/notifications' },
    ],
  })
  return { ...mail, headers: unsubscribeHeaders(unsubscribeToken) }
}

const moreLine = (count: number, noun: string, href: string): MailLine[] =>
  count > 0 ? [{ text: `and ${formatCount(count, `more ${noun}`)}`, href }] : []
