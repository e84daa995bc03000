import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type MouseEvent, type ReactNode, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { ChevronDownIcon } from '@/ui/icons'
import { Card, lineTarget, TextLink, VisuallyHidden } from '@/ui/layout'
import { UserRow } from '@/ui/UserRow'
import { findTopic, type Topic, type TopicLink, topicGroups } from '../topics'
import { useUnsavedTopics } from './ProfileFormProvider'
import { SettingsSearch } from './SettingsSearch'

const SideLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    // With a mouse, all topics fit below the header of a window that is 800 pixels tall.
    minHeight: '8',
    '@media (pointer: coarse)': { minHeight: 'target' },
    paddingInline: '3',
    paddingBlock: '0.5',
    lineHeight: 'snug',
    borderRadius: 'sm',
    textStyle: 'label',
    color: 'muted',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '& > svg': { fontSize: 'lg' },
    _hover: { bg: 'hover', color: 'text' },
    '&[aria-current=page]': { bg: 'pressed', color: 'text' },
  },
})

/** Shows the topics beside the content on wide screens. */
export function SettingsNavigation({ current }: { current: Topic }) {
  const unsavedTopics = useUnsavedTopics()
  const navigate = useNavigate()
  const nav = useRef<HTMLElement>(null)
  const id = useId()
  // Opens the topic synchronously. A link would open it in a transition, so an immediate click on "Save changes" would
  // still hit the old topic's button. Returns false if the browser handles the click, for example to open a new tab.
  const open = (event: MouseEvent, topic: Topic): boolean => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
    event.preventDefault()
    void navigate(paths.settings.getHref(topic), { replace: topic === current, flushSync: true })
    return true
  }
  return (
    <Box
      ref={nav}
      as="nav"
      aria-label={t`Settings`}
      position="sticky"
      top="calc({sizes.header} + {spacing.5})"
      maxHeight="calc(100dvh - {sizes.header} - {spacing.10})"
      overflowY="auto"
      // Space for the focus rings, which a scrolling box would cut off.
      padding="1"
      margin="-1"
    >
      <SettingsSearch
        renderResult={({ topic, label, icon: TopicIcon }, name, clear) => (
          <SideLink
            to={paths.settings.getHref(topic)}
            onClick={(event) => {
              if (!open(event, topic)) return
              // The clicked link disappears with the results, so the topic's link receives focus.
              flushSync(clear)
              nav.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus()
            }}
          >
            <TopicIcon />
            <span>
              {name}
              {name !== t(label) && <ResultTopic>{t(label)}</ResultTopic>}
            </span>
          </SideLink>
        )}
      >
        {topicGroups.map(({ title, topics }) => (
          <Box key={title.id} css={{ '& + &': { marginTop: '2' } }}>
            <Box
              as="h2"
              id={`${id}-${title.id}`}
              textStyle="caption"
              color="muted"
              paddingInline="3"
              paddingBlock="1"
            >
              {t(title)}
            </Box>
            <Box as="ul" listStyleType="none" aria-labelledby={`${id}-${title.id}`}>
              {topics.map(({ topic, icon: TopicIcon, label }) => (
                <li key={topic}>
                  <SideLink
                    to={paths.settings.getHref(topic)}
                    onClick={(event) => open(event, topic)}
                    aria-current={topic === current ? 'page' : undefined}
                  >
                    <TopicIcon />
                    <span>{t(label)}</span>
                    {unsavedTopics.has(topic) && <UnsavedDot />}
                  </SideLink>
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </SettingsSearch>
    </Box>
  )
}

/**
 * On wide screens, shows the topic's name above its content, with a dot if the topic has unsaved changes, and `action`
 * at the end of the line.
 */
export function TopicTitle({ topic, action }: { topic: Topic; action: ReactNode }) {
  const label = findTopic(topic)?.label
  const isUnsaved = useUnsavedTopics().has(topic)
  return (
    <Box display="flex" alignItems="center" justifyContent="space-between" gap="4" minHeight="14">
      <Box as="h2" display="flex" alignItems="center" gap="2" textStyle="heading">
        {label && t(label)}
        {isUnsaved && <UnsavedDot />}
      </Box>
      <Box display="flex" alignItems="center" gap="5">
        {action}
      </Box>
    </Box>
  )
}

/** Links to the user's profile, for topics whose settings appear there. */
export function ViewProfileLink() {
  return (
    <TextLink to={paths.profile.getHref()} textStyle="small" {...lineTarget}>
      {t`View profile`}
    </TextLink>
  )
}

/** Shows the topic of a found setting, below the setting's name. */
const ResultTopic = chakra('span', { base: { display: 'block', textStyle: 'caption', color: 'muted' } })

const RowLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '4',
    paddingInline: '4',
    paddingBlock: '3',
    minHeight: '14',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** Shows who is signed in, with a link to the profile. */
export function AccountCard({ user }: { user: OwnUser }) {
  return (
    <Card overflow="hidden">
      <RowLink to={paths.profile.getHref()}>
        <UserRow user={user} />
        <Box as="span" textStyle="small" color="muted" flexShrink="0">
          {t`View profile`}
        </Box>
        <LinkArrow />
      </RowLink>
    </Card>
  )
}

/** Shows the topics as a page of their own, on phones and in narrow windows. */
export function TopicList() {
  const unsavedTopics = useUnsavedTopics()
  return (
    <Box as="nav" aria-label={t`Settings`} display="grid" gap={{ base: '2', md: '4' }}>
      <SettingsSearch
        as={Card}
        renderResult={({ topic, label, icon: TopicIcon }, name) => (
          <RowLink to={paths.settings.getHref(topic)}>
            <Box as="span" fontSize="xl" color="muted">
              <TopicIcon />
            </Box>
            <Box as="span" textStyle="label">
              {name}
              {name !== t(label) && <ResultTopic>{t(label)}</ResultTopic>}
            </Box>
          </RowLink>
        )}
      >
        {topicGroups.map(({ title, topics }) => (
          <Box key={title.id} marginTop="2">
            <Box
              as="h2"
              textStyle="small"
              fontWeight="semibold"
              color="muted"
              paddingInline="4"
              paddingBottom="2"
            >
              {t(title)}
            </Box>
            <Card as="ul" listStyleType="none" overflow="hidden">
              {topics.map((item) => (
                <TopicRow key={item.topic} {...item} unsaved={unsavedTopics.has(item.topic)} />
              ))}
            </Card>
          </Box>
        ))}
      </SettingsSearch>
    </Box>
  )
}

function TopicRow({ topic, icon: TopicIcon, label, hint, unsaved }: TopicLink & { unsaved: boolean }) {
  return (
    <Box as="li" css={{ '& + &': { borderTopWidth: '1px' } }}>
      <RowLink to={paths.settings.getHref(topic)}>
        <Box as="span" fontSize="xl" color="muted">
          <TopicIcon />
        </Box>
        <Box as="span" flex="1" minWidth="0">
          <Box as="span" display="flex" alignItems="center" gap="2" textStyle="label">
            {t(label)}
            {unsaved && <UnsavedDot />}
          </Box>{' '}
          <Box as="span" display="block" textStyle="small" color="muted">
            {t(hint)}
          </Box>
        </Box>
        <LinkArrow />
      </RowLink>
    </Box>
  )
}

function LinkArrow() {
  return (
    <Box as="span" color="muted" transform="rotate(-90deg)">
      <ChevronDownIcon />
    </Box>
  )
}

/** Marks a topic that has unsaved changes. They are kept when the user opens another topic. */
function UnsavedDot() {
  return (
    <>
      <Box as="span" aria-hidden width="1.5" height="1.5" borderRadius="full" bg="ember.ring" />{' '}
      <VisuallyHidden>{t`with unsaved changes`}</VisuallyHidden>
    </>
  )
}
