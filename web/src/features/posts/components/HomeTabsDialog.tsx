import { Box, chakra } from '@chakra-ui/react'
import { Tag } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { ChevronDownIcon, CloseIcon, PlusIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { useSaveHomeTabs } from '../api/home-tabs'
import { trendingTagsQuery } from '../api/posts'
import { shownTabs } from '../home-tabs'

const maxSuggestions = 8

/** Lets the user add, remove and reorder the pinned tabs of the home feed. */
export function HomeTabsDialog({
  user,
  open,
  onClose,
  finalFocus,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
  /** Returns the element to focus when the dialog closes. */
  finalFocus: () => HTMLElement | null
}) {
  const saveTabs = useSaveHomeTabs(user)
  // Null until the user makes a change, so that the dialog shows the saved tabs when it is opened again.
  const [draft, setDraft] = useState<string[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const tabs = draft ?? shownTabs(user)
  const close = () => {
    setDraft(null)
    setAnnouncement('')
    onClose()
  }
  const save = () => {
    if (draft) saveTabs.mutate(draft, { onSuccess: close })
    else close()
  }
  const change = (next: string[], text: string) => {
    setDraft(next)
    setAnnouncement(text)
  }
  const max = limits.homeTabs
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Edit tabs`}
      description={t`Pin up to ${max} tabs to your home feed, after “For you” and “Following”.`}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button variant="ember" pending={saveTabs.isPending} onClick={save}>
            {t`Save`}
          </Button>
        </>
      }
    >
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <TabList tabs={tabs} onChange={change} />
      {tabs.length < max && (
        <AddTab
          tabs={tabs}
          isSubscriber={user.isSubscriber}
          onAdd={(tab) => {
            const name = tabName(tab)
            change([...tabs, tab], t`Added: ${name}`)
          }}
        />
      )}
    </Dialog>
  )
}

/** Returns the label of a pinned tab. */
const tabName = (tab: string) => (tab === 'subscriptions' ? t`Subscriptions` : tab)

/** Lists the pinned tabs with buttons to move and remove them. `onChange` also gets a text for screen readers. */
function TabList({
  tabs,
  onChange,
}: {
  tabs: string[]
  onChange: (tabs: string[], announcement: string) => void
}) {
  const list = useRef<HTMLUListElement>(null)
  const move = (index: number, target: number) => {
    const name = tabName(tabs[index] ?? '')
    const position = target + 1
    const tab = tabs.slice(index, index + 1)
    onChange(tabs.toSpliced(index, 1).toSpliced(target, 0, ...tab), t`Moved to position ${position}: ${name}`)
  }
  const remove = (index: number) => {
    const name = tabName(tabs[index] ?? '')
    // The focus moves to another tab before its button disappears.
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = buttons[index + 1] ?? buttons[index - 1]
    if (next) next.focus()
    else list.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    onChange(tabs.toSpliced(index, 1), t`Removed: ${name}`)
  }
  return (
    <Box as="ul" ref={list} listStyleType="none">
      {tabs.map((tab, index) => {
        const name = tabName(tab)
        const isFirst = index === 0
        const isLast = index === tabs.length - 1
        return (
          <Row key={tab}>
            <Box as="span" flex="1" minWidth="0" truncate textStyle="label">
              <bdi>{name}</bdi>
            </Box>
            {/* Not `disabled`, so that the button keeps the focus when the tab reaches an end of the list. */}
            <IconButton
              label={t`Move up: ${name}`}
              tooltip={false}
              aria-disabled={isFirst || undefined}
              onClick={() => !isFirst && move(index, index - 1)}
            >
              <Box as="span" transform="rotate(180deg)">
                <ChevronDownIcon />
              </Box>
            </IconButton>
            <IconButton
              label={t`Move down: ${name}`}
              tooltip={false}
              aria-disabled={isLast || undefined}
              onClick={() => !isLast && move(index, index + 1)}
            >
              <ChevronDownIcon />
            </IconButton>
            <IconButton
              data-remove
              marginInlineEnd="-3"
              label={t`Remove: ${name}`}
              tooltip={false}
              onClick={() => remove(index)}
            >
              <CloseIcon />
            </IconButton>
          </Row>
        )
      })}
    </Box>
  )
}

const Row = chakra('li', {
  base: { display: 'flex', alignItems: 'center', minHeight: 'target', borderBottomWidth: '1px' },
})

/** Adds a topic that the user enters, or one of the suggested tabs. */
function AddTab({
  tabs,
  isSubscriber,
  onAdd,
}: {
  tabs: string[]
  isSubscriber: boolean
  onAdd: (tab: string) => void
}) {
  const [input, setInput] = useState('')
  const [error, setError] = useState<string>()
  const trending = useQuery(trendingTagsQuery)
  const tag = Tag.safeParse(input).data
  const topics = (trending.data ?? []).map((topic) => `#${topic.tag}`)
  const candidates =
    input === ''
      ? [...(isSubscriber ? ['subscriptions'] : []), ...topics]
      : tag
        ? [`#${tag}`, ...topics.filter((topic) => topic.includes(tag))]
        : []
  const suggestions = [...new Set(candidates)].filter((tab) => !tabs.includes(tab))
  const add = (tab: string) => {
    setInput('')
    setError(undefined)
    onAdd(tab)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!tag)
      setError(t`Hashtags can only contain letters, numbers and underscores, and need at least one letter.`)
    else if (tabs.includes(`#${tag}`)) setError(t`You have already pinned this topic.`)
    else add(`#${tag}`)
  }
  return (
    <Box as="form" onSubmit={submit} marginTop="4">
      <TextField
        label={t`Add a topic`}
        placeholder={t`#topic`}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        maxLength={limits.tag.max + 1}
        value={input}
        error={error}
        onChange={(event) => {
          setInput(event.target.value)
          setError(undefined)
        }}
      />
      {suggestions.length > 0 && (
        <Box
          as="ul"
          listStyleType="none"
          aria-label={t`Suggestions`}
          display="flex"
          flexWrap="wrap"
          gap="2"
          marginTop="3"
        >
          {suggestions.slice(0, maxSuggestions).map((tab) => (
            <Box as="li" key={tab} maxWidth="100%">
              <Button size="sm" variant="outline" maxWidth="100%" onClick={() => add(tab)}>
                <PlusIcon />
                <Box as="bdi" truncate lineHeight="snug">
                  {tabName(tab)}
                </Box>
              </Button>
            </Box>
          ))}
        </Box>
      )}
    </Box>
  )
}
