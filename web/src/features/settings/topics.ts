import { socialSites } from '@contract/about.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { aboutLabels, aboutTextFields } from '@/profile/about'
import {
  AtIcon,
  BellIcon,
  CodeIcon,
  CoinIcon,
  DownloadIcon,
  EyeIcon,
  ImageIcon,
  InfoIcon,
  LinkIcon,
  LockIcon,
  PeopleIcon,
  PersonIcon,
  ScreenIcon,
  StarIcon,
  SunIcon,
} from '@/ui/icons'
import type { ProfileField } from './model'

/** The topics whose fields belong to the profile form. */
export const formTopics = ['profile', 'about', 'links', 'creator', 'account'] as const
export type FormTopic = (typeof formTopics)[number]

/** The name of a settings page, which follows `/settings/` in its path. */
export type Topic =
  | FormTopic
  | 'media'
  | 'appearance'
  | 'privacy'
  | 'people'
  | 'notifications'
  | 'security'
  | 'sessions'
  | 'billing'
  | 'data'
  | 'developer'

/** A topic as the navigation shows it. */
export interface TopicLink {
  topic: Topic
  icon: (props: { filled?: boolean }) => ReactNode
  label: MessageDescriptor
  /** What the topic contains, for the list on phones. */
  hint: MessageDescriptor
  /** The names of the settings in the topic, for the search. */
  settings: MessageDescriptor[]
}

/** All topics in the order of the navigation. */
export const topicGroups: { title: MessageDescriptor; topics: TopicLink[] }[] = [
  {
    title: msg`Your profile`,
    topics: [
      {
        topic: 'profile',
        icon: PersonIcon,
        label: msg`Profile`,
        hint: msg`Photos, names and bio`,
        settings: [
          msg`Profile photo`,
          msg`Background image`,
          msg`Full name`,
          msg`First name`,
          msg`Last name`,
          msg`Username`,
          msg`Bio`,
        ],
      },
      {
        topic: 'about',
        icon: InfoIcon,
        label: msg`About`,
        hint: msg`Where you live, your age and more`,
        settings: Object.values(aboutLabels),
      },
      {
        topic: 'links',
        icon: LinkIcon,
        label: msg`Links`,
        hint: msg`Your pages on other sites`,
        // The names of sites need no translation.
        settings: [msg`Social links`, ...Object.values(socialSites).map(({ name }) => ({ id: name }))],
      },
      { topic: 'media', icon: ImageIcon, label: msg`Media`, hint: msg`Your gallery`, settings: [] },
      {
        topic: 'creator',
        icon: StarIcon,
        label: msg`Creator`,
        hint: msg`Creator account, subscriptions and AI posts`,
        settings: [
          msg`Creator Account`,
          msg`Posts written by AI`,
          msg`Ask me before each post`,
          msg`Longer subscriptions`,
          msg`Welcome message`,
        ],
      },
    ],
  },
  {
    title: msg`Account and security`,
    topics: [
      {
        topic: 'account',
        icon: AtIcon,
        label: msg`Account`,
        hint: msg`Email, phone and country`,
        settings: [msg`Email`, msg`Phone number`, msg`Country`],
      },
      {
        topic: 'security',
        icon: LockIcon,
        label: msg`Security`,
        hint: msg`Password, login alerts and timeout`,
        settings: [
          msg`Password`,
          msg`Email address`,
          msg`Two-factor authentication`,
          msg`Login alerts`,
          msg`New sign-ins`,
          msg`Session timeout`,
        ],
      },
      {
        topic: 'sessions',
        icon: ScreenIcon,
        label: msg`Sessions`,
        hint: msg`Where you’re signed in`,
        settings: [msg`Active sessions`],
      },
      {
        topic: 'billing',
        icon: CoinIcon,
        label: msg`Billing`,
        hint: msg`Plan, subscriptions and account deletion`,
        settings: [msg`Creator Pro Plan`, msg`Subscriptions`, msg`Delete Account`],
      },
      {
        topic: 'developer',
        icon: CodeIcon,
        label: msg`Developer`,
        hint: msg`Access tokens and the API`,
        settings: [msg`Access tokens`, msg`API`],
      },
    ],
  },
  {
    title: msg`Preferences`,
    topics: [
      {
        topic: 'notifications',
        icon: BellIcon,
        label: msg`Notifications`,
        hint: msg`What to notify you about, and where`,
        settings: [
          msg`Email notifications`,
          msg`Push notifications`,
          msg`Message sounds`,
          msg`Group similar notifications`,
          msg`New followers`,
          msg`New comments`,
          msg`New quotes and reposts`,
          msg`New likes`,
          msg`Subscription updates`,
          msg`Payment alerts`,
          msg`New posts`,
        ],
      },
      {
        topic: 'appearance',
        icon: SunIcon,
        label: msg`Theme and language`,
        hint: msg`Light or dark, and the language`,
        settings: [msg`Theme`, msg`Language`],
      },
    ],
  },
  {
    title: msg`Privacy and data`,
    topics: [
      {
        topic: 'privacy',
        icon: EyeIcon,
        label: msg`Privacy`,
        hint: msg`Who can see, find and message you`,
        settings: [
          msg`Profile visibility`,
          msg`Show follower count`,
          msg`Recommend my content`,
          msg`Show in directory`,
          msg`Allow direct messages`,
          msg`Online status`,
          msg`Typing indicator`,
        ],
      },
      {
        topic: 'people',
        icon: PeopleIcon,
        label: msg`People`,
        hint: msg`Follow requests and blocked people`,
        settings: [msg`Follow requests`, msg`Blocked people`],
      },
      {
        topic: 'data',
        icon: DownloadIcon,
        label: msg`Data`,
        hint: msg`Storage and a copy of your data`,
        settings: [msg`Storage`, msg`Your data`],
      },
    ],
  },
]

const topics = new Map(topicGroups.flatMap((group) => group.topics).map((item) => [item.topic, item]))

/** Returns the topic with the given name, which may come from a URL, or undefined if there is none. */
export function findTopic(name: string | null | undefined): TopicLink | undefined {
  return topics.get(name as Topic)
}

const topicFields: Record<Exclude<FormTopic, 'about'>, readonly ProfileField[]> = {
  profile: ['fullName', 'firstName', 'lastName', 'bio'],
  links: [...aboutTextFields.filter((field) => field.endsWith('Url')), 'showSocialLinks'],
  creator: [
    'isCreator',
    'allowAutoPosting',
    'approveAutoPosts',
    'quarterlyDiscount',
    'halfYearlyDiscount',
    'yearlyDiscount',
  ],
  account: ['email', 'phoneNumber', 'country'],
}

/** Returns the topic that shows a field of the profile form. */
export function topicOfField(field: ProfileField): FormTopic {
  const found = formTopics.find((topic) => topic !== 'about' && topicFields[topic].includes(field))
  return found ?? 'about'
}
