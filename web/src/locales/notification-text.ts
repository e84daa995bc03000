import type { LenientNotification, NotificationKind } from '@contract/notification.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { translateServerText } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { deviceText, displayName, isolateBidi, withoutBidiControls } from '@/lib/text'
import { decisionTitle } from './decision-title'

const titles: Record<Exclude<NotificationKind, 'payout' | 'new_post'>, MessageDescriptor> = {
  follow: msg`New follower`,
  follow_request: msg`Follow request`,
  follow_accepted: msg`Request accepted`,
  like: msg`New like`,
  comment: msg`New comment`,
  reply: msg`New reply`,
  mention: msg`New mention`,
  quote: msg`New quote`,
  repost: msg`New repost`,
  reaction: msg`New reaction`,
  unlock: msg`Post unlocked`,
  subscription: msg`New subscriber`,
  tip: msg`New tip`,
  message: msg`New message`,
  sign_in: msg`New sign-in`,
  access_token: msg`New access token`,
  admin: msg`A message from the team`,
  creator_pro: msg`Creator Pro`,
  moderation: msg`From the moderators`,
  report: msg`Your report`,
  auto_post: msg`Auto-posting`,
  scheduled_post: msg`Scheduled post`,
}

/**
 * Returns the title and the message of a notification in the app's language. Uses the server's title and message for
 * kinds that a later version of the API has added, and the server's message if the API has not sent all the details
 * that the app's own message contains. Names and notes are isolated; see `isolateBidi`.
 */
export function notificationText(notification: LenientNotification): { title: string; message: string } {
  return {
    title: notificationTitle(notification),
    message: buildMessage(notification) ?? withoutBidiControls(translateServerText(notification.message)),
  }
}

function notificationTitle({ kind, title, details }: LenientNotification): string {
  if (kind === 'new_post') return details?.postsCount === 1 ? t`New post` : t`New posts`
  if (kind === 'payout' && details?.payout === 'paid') return t`Payout sent`
  if (kind === 'payout' && details?.payout === 'failed') return t`Payout failed`
  if (details?.unlocked === 'photo') return t`Photo unlocked`
  if (details?.unlocked === 'photos') return t`Photos unlocked`
  const known = Object.entries(titles).find(([name]) => name === kind)
  return known ? t(known[1]) : translateServerText(title)
}

/** Returns undefined for an unknown kind, or if the API has not sent the details that the message contains. */
function buildMessage({ kind, relatedUser, othersCount, details }: LenientNotification): string | undefined {
  const name = relatedUser ? isolateBidi(displayName(relatedUser)) : t`Someone`
  switch (kind) {
    case 'follow':
      return plural(othersCount, {
        0: `${name} started following you.`,
        one: `${name} and # other started following you.`,
        other: `${name} and # others started following you.`,
      })
    case 'like':
      if (details?.liked === 'comment') {
        return plural(othersCount, {
          0: `${name} liked your comment.`,
          one: `${name} and # other liked your comment.`,
          other: `${name} and # others liked your comment.`,
        })
      }
      return plural(othersCount, {
        0: `${name} liked your post.`,
        one: `${name} and # other liked your post.`,
        other: `${name} and # others liked your post.`,
      })
    case 'repost':
      return plural(othersCount, {
        0: `${name} reposted your post.`,
        one: `${name} and # other reposted your post.`,
        other: `${name} and # others reposted your post.`,
      })
    case 'comment':
      return plural(othersCount, {
        0: `${name} commented on your post.`,
        one: `${name} and # other commented on your post.`,
        other: `${name} and # others commented on your post.`,
      })
    case 'unlock':
      if (details?.unlocked === 'photo') {
        return plural(othersCount, {
          0: `${name} unlocked your photo.`,
          one: `${name} and # other unlocked your photo.`,
          other: `${name} and # others unlocked your photo.`,
        })
      }
      if (details?.unlocked === 'photos') {
        return plural(othersCount, {
          0: `${name} unlocked your photos.`,
          one: `${name} and # other unlocked your photos.`,
          other: `${name} and # others unlocked your photos.`,
        })
      }
      return plural(othersCount, {
        0: `${name} unlocked your post.`,
        one: `${name} and # other unlocked your post.`,
        other: `${name} and # others unlocked your post.`,
      })
    case 'follow_request':
      return t`${name} asked to follow you.`
    case 'follow_accepted':
      return t`${name} accepted your follow request.`
    case 'reply':
      return t`${name} replied to your comment.`
    case 'mention':
      if (!details?.mentionedIn) return undefined
      return details.mentionedIn === 'post'
        ? t`${name} mentioned you in a post.`
        : t`${name} mentioned you in a comment.`
    case 'quote':
      return t`${name} quoted your post.`
    case 'reaction':
      return t`${name} reacted to your message.`
    case 'subscription':
      return t`${name} subscribed to you.`
    case 'message':
      return t`${name} sent you a message.`
    case 'new_post':
      if (!details?.postsCount) return undefined
      return plural(details.postsCount, {
        one: `${name} published a post.`,
        other: `${name} published # posts.`,
      })
    case 'tip':
      return details && tipMessage(name, details)
    case 'payout':
      return details && payoutMessage(details)
    case 'sign_in':
      return details && signInMessage(details)
    case 'access_token': {
      const token = details?.accessToken && isolateBidi(details.accessToken)
      return token
        ? t`The access token “${token}” was created for your account.`
        : t`An access token was created for your account.`
    }
    case 'creator_pro':
      return t`Your Creator Pro plan has ended. Your posts are still here. Upgrade to become a creator again.`
    case 'scheduled_post':
      return t`Your scheduled post couldn't be published. Open it to see why.`
    case 'moderation':
    case 'admin':
    case 'report':
    case 'auto_post':
      return details && (eventMessage(details) ?? decisionMessage(details))
    default:
      return undefined
  }
}

type Details = NonNullable<LenientNotification['details']>

const eventMessages: Record<NonNullable<Details['event']>, MessageDescriptor> = {
  suspension_lifted: msg`Your suspension was lifted. Welcome back.`,
  report_acted: msg`We reviewed what you reported and took action. Thank you.`,
  report_dismissed: msg`We reviewed what you reported. It does not break our rules.`,
  post_published: msg`The team published a post in your name.`,
  auto_posting_offered: msg`The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.`,
  draft_ready: msg`An AI-written draft is ready for your review.`,
}

const eventMessage = ({ event }: Details) => event && t(eventMessages[event])

function decisionMessage({ decision, appeal }: Details): string | undefined {
  if (appeal) {
    const answer = isolateBidi(appeal.answer)
    return appeal.outcome === 'overturned'
      ? t`Your appeal was granted: ${answer}`
      : t`Your appeal was turned down: ${answer}`
  }
  if (!decision) return undefined
  const title = decisionTitle(decision)
  const reason = isolateBidi(decision.reason)
  return t`${title}: ${reason}`
}

function tipMessage(name: string, details: Details): string {
  if (details.amount === undefined) return t`${name} sent you a tip.`
  const amount = dollars(details.amount)
  if (!details.note) return t`${name} sent you a tip of ${amount}.`
  const note = isolateBidi(details.note)
  return t`${name} sent you a tip of ${amount}: ${note}`
}

function payoutMessage({ payout, amount: dollarAmount, note }: Details): string | undefined {
  if (dollarAmount === undefined) return undefined
  const amount = dollars(dollarAmount)
  if (payout === 'paid') return t`Your payout of ${amount} is on its way.`
  if (!note) return undefined
  const reason = isolateBidi(note)
  return t`Your payout of ${amount} failed, and the money is back in your balance: ${reason}`
}

function signInMessage(details: Details): string {
  const device = deviceText(details) ?? details.device
  return device
    ? t`New sign-in to your account from ${device}.`
    : t`New sign-in to your account from an unknown device.`
}
