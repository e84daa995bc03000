import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { type Line, writeMail } from './look.ts'
import { type Mail, mailIsOn, sendMail } from './port.ts'
import { type Due, giveBack, readWaiting, takeDue, type Waiting } from './waiting.ts'

/** People whom one call writes to at most, and how many at a time. */
const most = 100
const atOnce = 5
/** Milliseconds after which a call begins no further mail: the next one comes soon. */
const longest = 120_000

/** The path where these mails are switched off. */
const mailSettings = '/settings?tab=notifications'

/** What a call did: `on` is false where mail cannot leave. */
export interface Sent {
  on: boolean
  sent: number
  failed: number
}

/** Writes to everybody who is due: one mail each. One that fails stops no other, and is tried again. */
export async function sendDueMails(): Promise<Sent> {
  if (!mailIsOn) return { on: false, sent: 0, failed: 0 }
  const queue = [...(await takeDue(most))]
  const deadline = Date.now() + longest
  const done = { on: true, sent: 0, failed: 0 }
  const work = async () => {
    for (let due = queue.shift(); due; due = queue.shift()) {
      const result = Date.now() > deadline ? 'late' : await sendOne(due)
      if (result === 'sent') done.sent++
      else await giveBack(due)
      if (result === 'failed') done.failed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return done
}

async function sendOne(due: Due): Promise<'sent' | 'nothing' | 'failed'> {
  try {
    const waiting = await readWaiting(due)
    // Read, taken back or switched off since it was taken.
    if (!waiting || waiting.noticeCount + waiting.threadCount === 0) return 'nothing'
    await sendMail(noticeMail(waiting))
    return 'sent'
  } catch {
    // Not why: what a mail server says may repeat the address.
    log('warn', 'notice_mail_failed', { userId: due.userId })
    return 'failed'
  }
}

const counted = (count: number, word: string) => (count === 1 ? `1 ${word}` : `${count} ${word}s`)

function noticeMail(waiting: Waiting): Mail {
  const { email, notices, noticeCount, threads, threadCount, messageCount } = waiting
  const what = [
    ...(messageCount > 0 ? [counted(messageCount, 'unread message')] : []),
    ...(noticeCount > 0 ? [counted(noticeCount, 'notification')] : []),
  ].join(' and ')
  const lines: Line[] = [
    ...threads,
    ...more(threadCount - threads.length, 'conversation', '/messages'),
    ...notices,
    ...more(noticeCount - notices.length, 'notification', '/notifications'),
  ]
  const mail = writeMail(email, {
    subject: `${what} on ${env.appName}`,
    heading: 'While you were away',
    lines,
    button: { text: `Open ${env.appName}`, href: threadCount > 0 ? '/messages' : '/notifications' },
    notes: [
      { text: `You get this mail because you have not read this on ${env.appName} yet.` },
      { text: 'Switch these mails off', href: mailSettings },
    ],
  })
  return { ...mail, switchOff: mailSettings }
}

const more = (count: number, word: string, href: string): Line[] =>
  count > 0 ? [{ text: `and ${counted(count, `more ${word}`)}`, href }] : []
