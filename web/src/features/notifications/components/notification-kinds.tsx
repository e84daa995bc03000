import type { NotificationKind } from '@contract/notification.ts'
import type { ReactElement } from 'react'
import {
  AlertIcon,
  AtIcon,
  BellIcon,
  CheckIcon,
  CoinIcon,
  CommentIcon,
  FlagIcon,
  HeartIcon,
  LockIcon,
  MessageIcon,
  PeopleIcon,
  PersonIcon,
  ReplyIcon,
  ShieldIcon,
  SmileIcon,
  SparkIcon,
  StarIcon,
} from '@/ui/icons'

type KindStyle = { icon: ReactElement; color: 'ember.text' | 'gold.text' | 'muted' }

/** The icon of each kind, which is shown before the title. Gold is for payments. */
const notificationKinds: Record<NotificationKind, KindStyle> = {
  follow: { icon: <PersonIcon />, color: 'ember.text' },
  follow_request: { icon: <PeopleIcon />, color: 'ember.text' },
  follow_accepted: { icon: <CheckIcon />, color: 'ember.text' },
  like: { icon: <HeartIcon filled />, color: 'ember.text' },
  comment: { icon: <CommentIcon />, color: 'ember.text' },
  reply: { icon: <ReplyIcon />, color: 'ember.text' },
  mention: { icon: <AtIcon />, color: 'ember.text' },
  reaction: { icon: <SmileIcon />, color: 'ember.text' },
  message: { icon: <MessageIcon />, color: 'ember.text' },
  unlock: { icon: <LockIcon />, color: 'gold.text' },
  subscription: { icon: <StarIcon />, color: 'gold.text' },
  tip: { icon: <CoinIcon />, color: 'gold.text' },
  sign_in: { icon: <ShieldIcon />, color: 'muted' },
  access_token: { icon: <ShieldIcon />, color: 'muted' },
  admin: { icon: <AlertIcon />, color: 'muted' },
  payout: { icon: <CoinIcon />, color: 'gold.text' },
  moderation: { icon: <ShieldIcon />, color: 'muted' },
  report: { icon: <FlagIcon />, color: 'muted' },
  auto_post: { icon: <SparkIcon />, color: 'ember.text' },
  creator_pro: { icon: <StarIcon />, color: 'gold.text' },
  new_post: { icon: <BellIcon />, color: 'ember.text' },
}

const unknownKind: KindStyle = { icon: <BellIcon />, color: 'muted' }

/** Returns the icon of a kind, which a later version of the API may have added. */
export const notificationKindStyle = (kind: string): KindStyle =>
  Object.entries(notificationKinds).find(([name]) => name === kind)?.[1] ?? unknownKind
