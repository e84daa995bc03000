import { Box } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { Input } from '@/ui/Field'
import { type TopicLink, topicGroups } from '../topics'

/**
 * Shows a search field, and below it the settings whose name contains its text, or `children` if it is empty.
 *
 * @param renderResult renders the link to the topic that contains a setting; `clear` empties the field
 */
export function SettingsSearch({
  children,
  renderResult,
}: {
  children: ReactNode
  renderResult: (topic: TopicLink, name: string, clear: () => void) => ReactNode
}) {
  const [text, setText] = useState('')
  const results = findSettings(text)
  return (
    <>
      <Box as="search" display="block" paddingInline={{ base: '4', md: '0' }} marginBottom="2">
        <Input
          type="search"
          aria-label={t`Search settings`}
          placeholder={t`Search settings`}
          autoComplete="off"
          paddingBlock={{ lg: '1.5' }}
          minHeight={{ lg: '10' }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Box>
      <Box role="status" textStyle="small" color="muted" paddingInline="3">
        {text.trim() !== '' && results.length === 0 && t`No settings found`}
      </Box>
      {text.trim() === '' ? (
        children
      ) : (
        <Box as="ul" listStyleType="none" aria-label={t`Settings`}>
          {results.map(({ topic, name }) => (
            <li key={`${topic.topic} ${name}`}>{renderResult(topic, name, () => setText(''))}</li>
          ))}
        </Box>
      )}
    </>
  )
}

/** Finds topics and the settings in them by a part of their name. */
function findSettings(text: string): { topic: TopicLink; name: string }[] {
  const term = text.trim().toLocaleLowerCase()
  if (term === '') return []
  const matches = (name: MessageDescriptor) => t(name).toLocaleLowerCase().includes(term)
  return topicGroups
    .flatMap((group) => group.topics)
    .flatMap((topic) =>
      [topic.label, ...topic.settings].filter(matches).map((name) => ({ topic, name: t(name) })),
    )
}
