import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { ArrowLeftIcon } from '@/ui/icons'
import { PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useMinWidth } from '@/ui/useMinWidth'
import { AppearanceTopic } from '../components/AppearanceTopic'
import { BillingTopic } from '../components/BillingTopic'
import { BlockedUsers } from '../components/BlockedUsers'
import { DataTopic } from '../components/DataTopic'
import { DeveloperTopic } from '../components/DeveloperTopic'
import { FollowRequests } from '../components/FollowRequests'
import { NotificationsTopic } from '../components/NotificationsTopic'
import { PrivacyTopic } from '../components/PrivacyTopic'
import { ProfileForm, SaveState } from '../components/ProfileForm'
import { ProfileFormProvider, ProfileImageProvider } from '../components/ProfileFormProvider'
import { ProfileImages } from '../components/ProfileImages'
import {
  AboutSection,
  ContactSection,
  CountrySection,
  CreatorSection,
  IdentitySection,
  LinksSection,
  LongerSubscriptionsSection,
} from '../components/ProfileSections'
import { SecurityTopic } from '../components/SecurityTopic'
import { SessionsTopic } from '../components/SessionsTopic'
import {
  AccountCard,
  SettingsNavigation,
  TopicList,
  TopicTitle,
  ViewProfileLink,
} from '../components/SettingsNavigation'
import { SettingsSection } from '../components/SettingsSection'
import { UnsavedChangesDialog } from '../components/UnsavedChangesDialog'
import { profileFields } from '../model'
import {
  type FormTopic,
  findTopic,
  formTopics,
  type Topic,
  type TopicLink,
  topicGroups,
  topicOfField,
} from '../topics'

interface Slots {
  /** Renders the user's gallery. */
  media: (owner: { userId: string; name: string }) => ReactNode
  /** The link to the drafts that AI writes for the user. */
  autoPosts: ReactNode
  /** Renders the form for the message that the user's new subscribers get. */
  welcomeMessage: (userId: string) => ReactNode
}

/** Shows `/settings/:topic`. Without a topic, shows the first topic or, in narrow windows, the list of topics. */
export default function SettingsPage(slots: Slots) {
  const { user } = useCurrentUser()
  const { topic: name } = useParams()
  const topic = findTopic(name)
  const topicLabel = topic && t(topic.label)
  const title = t`Settings`
  const isWide = useMinWidth('lg')
  useDocumentTitle(topicLabel ? `${topicLabel} · ${title}` : title)
  const redirectHref = useRedirectHref(topic)
  if (redirectHref) return <Navigate to={redirectHref} replace />
  return (
    <>
      {topic && !isWide && (
        <PageHeader
          title={topicLabel}
          action={isOnProfile(topic.topic) && <ViewProfileLink />}
          back={
            <ButtonLink
              to={paths.settings.getHref()}
              variant="ghost"
              size="icon"
              aria-label={t`Back to settings`}
            >
              <ArrowLeftIcon />
            </ButtonLink>
          }
        />
      )}
      {!topic && !isWide && <PageHeader title={title} />}
      {user && <Settings key={user.id} user={user} topic={topic?.topic} {...slots} />}
    </>
  )
}

/**
 * Returns the URL to redirect to from an unknown topic or an old settings URL (`/settings?tab=&field=`), or undefined
 * for all other URLs.
 */
function useRedirectHref(topic: TopicLink | undefined): string | undefined {
  const { hash } = useLocation()
  const { topic: name } = useParams()
  const [params] = useSearchParams()
  if (topic || (name === undefined && !params.has('tab'))) return
  const field = profileFields.find((profileField) => profileField === params.get('field'))
  const tab = findTopic(params.get('tab'))?.topic
  const rest = new URLSearchParams(params)
  rest.delete('tab')
  const query = String(rest)
  return `${paths.settings.getHref(field ? topicOfField(field) : tab)}${query && `?${query}`}${hash}`
}

const isFormTopic = (topic: Topic | undefined) => formTopics.some((name) => name === topic)

/** Returns whether the user's profile shows the settings of the topic. */
const isOnProfile = (topic: Topic | undefined) =>
  topicGroups[0]?.topics.some((link) => link.topic === topic) ?? false

/** Forms are easier to read if they are narrow. A gallery uses all of the space. */
const contentWidth = (topic: Topic | undefined) => ({ lg: topic === 'media' ? 'none' : '47.5rem' })

function Settings({
  user,
  topic,
  media,
  autoPosts,
  welcomeMessage,
}: Slots & { user: OwnUser; topic: Topic | undefined }) {
  const isWide = useMinWidth('lg')
  const navigate = useNavigate()
  const form = (name: FormTopic, label: string, sections: ReactNode) => (
    <ProfileForm topic={name} label={label}>
      {sections}
    </ProfileForm>
  )
  const contents: Record<Topic, ReactNode> = {
    profile: form(
      'profile',
      t`Profile`,
      <>
        <ProfileImages />
        <IdentitySection user={user} />
      </>,
    ),
    about: form('about', t`About`, <AboutSection />),
    links: form('links', t`Links`, <LinksSection />),
    creator: (
      <>
        {form(
          'creator',
          t`Creator`,
          <>
            <CreatorSection autoPosts={autoPosts} />
            <LongerSubscriptionsSection />
          </>,
        )}
        {user.isCreator && (
          <SettingsSection
            title={t`Welcome message`}
            text={t`It’s sent automatically to everyone who subscribes to you, in a private conversation.`}
          >
            {welcomeMessage(user.id)}
          </SettingsSection>
        )}
      </>
    ),
    account: form(
      'account',
      t`Account`,
      <>
        <ContactSection />
        <CountrySection />
      </>,
    ),
    appearance: <AppearanceTopic />,
    media: media({ userId: user.id, name: displayName(user) }),
    privacy: <PrivacyTopic />,
    people: (
      <>
        <FollowRequests user={user} />
        <BlockedUsers />
      </>
    ),
    notifications: <NotificationsTopic />,
    security: <SecurityTopic />,
    sessions: <SessionsTopic />,
    billing: <BillingTopic />,
    data: <DataTopic />,
    developer: <DeveloperTopic />,
  }
  const shownTopic = topic ?? (isWide ? 'profile' : undefined)
  return (
    <ProfileFormProvider user={user}>
      <ProfileImageProvider>
        <Box
          display="grid"
          gridTemplateColumns={{
            base: 'minmax(0, 1fr)',
            lg: '12rem minmax(0, 1fr)',
            xl: '15rem minmax(0, 1fr)',
          }}
          columnGap="6"
          alignItems="start"
        >
          {isWide && (
            <>
              <PageHeader title={t`Settings`} />
              <Box maxWidth={contentWidth(shownTopic)}>
                <TopicTitle
                  topic={shownTopic ?? 'profile'}
                  action={
                    <>
                      {isFormTopic(shownTopic) && <SaveState />}
                      {isOnProfile(shownTopic) && <ViewProfileLink />}
                    </>
                  }
                />
              </Box>
              <SettingsNavigation current={shownTopic ?? 'profile'} />
            </>
          )}
          {shownTopic ? (
            <Box
              key={shownTopic}
              display="grid"
              gridTemplateColumns="minmax(0, 1fr)"
              gap={{ base: '2', md: '4' }}
              maxWidth={contentWidth(shownTopic)}
            >
              {contents[shownTopic]}
            </Box>
          ) : (
            <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
              <AccountCard user={user} />
              <TopicList />
            </Box>
          )}
        </Box>
        <UnsavedChangesDialog
          onSaveFailed={(failedTopic, field) => {
            if (failedTopic !== shownTopic) void navigate(paths.settings.getHref(failedTopic, field))
          }}
        />
      </ProfileImageProvider>
    </ProfileFormProvider>
  )
}
