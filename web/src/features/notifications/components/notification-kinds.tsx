import type { NotificationKind } from '@contract/notification.ts'
import type { ReactElement } from 'react'
import {
  AlertIcon,
  AtIcon,
  BellIcon,
  CheckIcon,
  ClockIcon,
  CoinIcon,
  CommentIcon,
  FlagIcon,
  HeartIcon,
  LockIcon,
  MessageIcon,
  PeopleIcon,
  PersonIcon,
  QuoteIcon,
  ReplyIcon,
  RepostIcon,
  ShieldIcon,
  SmileIcon,
  SparkIcon,
  StarIcon,
} from '@/ui/icons'

interface KindStyle {
  icon: ReactElement
  tone: 'ember' | 'gold' | 'neutral'
  /** Whether the row shows the title, because the message does not say what the notification is about. */
  hasTitle?: true
}

/** How the notifications of each kind are displayed. Gold is for payments. */
const notificationKinds: Record<NotificationKind, KindStyle> = {
  follow: { icon: <PersonIcon />, tone: 'ember' },
  follow_request: { icon: <PeopleIcon />, tone: 'ember' },
  follow_accepted: { icon: <CheckIcon />, tone: 'ember' },
  like: { icon: <HeartIcon filled />, tone: 'ember' },
  comment: { icon: <CommentIcon />, tone: 'ember' },
  reply: { icon: <ReplyIcon />, tone: 'ember' },
  mention: { icon: <AtIcon />, tone: 'ember' },
  quote: { icon: <QuoteIcon />, tone: 'ember' },
  repost: { icon: <RepostIcon />, tone: 'ember' },
  reaction: { icon: <SmileIcon />, tone: 'ember' },
  message: { icon: <MessageIcon />, tone: 'ember' },
  unlock: { icon: <LockIcon />, tone: 'gold' },
  subscription: { icon: <StarIcon />, tone: 'gold' },
  tip: { icon: <CoinIcon />, tone: 'gold' },
  sign_in: { icon: <ShieldIcon />, tone: 'neutral' },
  access_token: { icon: <ShieldIcon />, tone: 'neutral' },
  admin: { icon: <AlertIcon />, tone: 'neutral', hasTitle: true },
  payout: { icon: <CoinIcon />, tone: 'gold' },
  moderation: { icon: <ShieldIcon />, tone: 'neutral', hasTitle: true },
  report: { icon: <FlagIcon />, tone: 'neutral', hasTitle: true },
  auto_post: { icon: <SparkIcon />, tone: 'ember', hasTitle: true },
  scheduled_post: { icon: <ClockIcon />, tone: 'neutral', hasTitle: true },
  creator_pro: { icon: <StarIcon />, tone: 'gold', hasTitle: true },
  new_post: { icon: <BellIcon />, tone: 'ember' },
}

const unknownKind: KindStyle = { icon: <BellIcon />, tone: 'neutral', hasTitle: true }

/** Returns the style of a kind, or a default one for a kind that a later version of the API has added. */
export const notificationKindStyle = (kind: string): KindStyle =>
  Object.entries(notificationKinds).find(([name]) => name === kind)?.[1] ?? unknownKind
