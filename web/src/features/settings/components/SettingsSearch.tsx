import { Box } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { type ElementType, type ReactNode, useState } from 'react'
import { SearchInput } from '@/ui/Field'
import { VisuallyHidden } from '@/ui/layout'
import { type TopicLink, topicGroups } from '../topics'

/**
 * Shows a search field and, below it, the settings that match its text, or `children` while the field is empty.
 *
 * @param as the element around the results
 * @param renderResult renders the link to the topic that contains a setting; `clear` empties the field
 */
export function SettingsSearch({
  children,
  as = 'div',
  renderResult,
}: {
  children: ReactNode
  as?: ElementType
  renderResult: (topic: TopicLink, name: string, clear: () => void) => ReactNode
}) {
  const [text, setText] = useState('')
  const isSearching = text.trim() !== ''
  const results = isSearching ? findSettings(text) : []
  const count = results.length
  return (
    <>
      <Box
        as="search"
        aria-label={t`Settings`}
        display="block"
        paddingInline={{ base: '4', md: '0' }}
        marginBottom={{ lg: '2' }}
      >
        <SearchInput
          label={t`Search settings`}
          paddingBlock={{ lg: '1.5' }}
          minHeight={{ lg: '10' }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <VisuallyHidden role="status">
          {isSearching &&
            count > 0 &&
            t`${plural(count, { one: '# setting found', other: '# settings found' })}`}
          {isSearching && count === 0 && t`No settings found`}
        </VisuallyHidden>
      </Box>
      {!isSearching && children}
      {isSearching && count === 0 && (
        <Box aria-hidden textStyle="small" color="muted" paddingInline={{ base: '4', lg: '3' }}>
          {t`No settings found`}
        </Box>
      )}
      {count > 0 && (
        <Box as={as}>
          <Box as="ul" listStyleType="none" aria-label={t`Settings found`}>
            {results.map(({ topic, name }) => (
              <li key={`${topic.topic} ${name}`}>{renderResult(topic, name, () => setText(''))}</li>
            ))}
          </Box>
        </Box>
      )}
    </>
  )
}

/** Converts text to lowercase and removes accents, because the search ignores case and accents. */
const simplify = (text: string) => text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Finds settings by part of their name, and topics by part of their name or description. */
function findSettings(text: string): { topic: TopicLink; name: string }[] {
  const term = simplify(text)
  const matches = (name: MessageDescriptor) => simplify(t(name)).includes(term)
  return topicGroups
    .flatMap((group) => group.topics)
    .flatMap((topic) => {
      const names = topic.settings.filter(matches)
      const isTopicFound = matches(topic.label) || (names.length === 0 && matches(topic.hint))
      return (isTopicFound ? [topic.label, ...names] : names).map((name) => ({ topic, name: t(name) }))
    })
}
