import { Box, chakra } from '@chakra-ui/react'
import { Tag } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
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
  const [announcement, setAnnouncement] = useState({ id: 0, text: '' })
  const [input, setInput] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const tabs = draft ?? shownTabs(user)
  const max = limits.homeTabs
  const isSaving = saveTabs.isPending
  const changeInput = (value: string) => {
    setInput(value)
    setError(undefined)
  }
  const close = () => {
    setDraft(null)
    setAnnouncement({ id: 0, text: '' })
    changeInput('')
    onClose()
  }
  const change = (next: string[], text: string) => {
    if (isSaving) return
    setDraft(next)
    setAnnouncement(({ id }) => ({ id: id + 1, text }))
  }
  const add = (tab: string): string[] => {
    const name = tabName(tab)
    const next = [...tabs, tab]
    changeInput('')
    change(next, t`Added: ${name}`)
    return next
  }
  const addAndMoveFocus = (tab: string) => {
    // The pressed suggestion disappears. When the last allowed tab is added, so does the field.
    const target = add(tab).length < max ? field : saveButton
    target.current?.focus()
  }
  /** Returns the tab of the topic in the field. If there is none, or it is already pinned, shows an error. */
  const validateInput = (): string | undefined => {
    const tag = Tag.safeParse(input).data
    if (tag && !tabs.includes(`#${tag}`)) return `#${tag}`
    setError(
      tag
        ? t`You have already pinned this topic.`
        : t`Hashtags can only contain letters, numbers and underscores, and need at least one letter.`,
    )
    field.current?.focus()
  }
  const save = () => {
    let next = draft
    if (input.trim() !== '') {
      const tab = validateInput()
      if (!tab) return
      next = add(tab)
    }
    if (next) saveTabs.mutate(() => next, { onSuccess: close })
    else close()
  }
  return (
    <Dialog
      open={open}
      onClose={() => !isSaving && close()}
      title={t`Edit tabs`}
      description={t`Pin up to ${max} tabs to your home feed, after “For you” and “Following”.`}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isSaving}>
            {t`Cancel`}
          </Button>
          <Button ref={saveButton} variant="ember" pending={isSaving} onClick={save}>
            {t`Save`}
          </Button>
        </>
      }
    >
      <VisuallyHidden role="status">
        {/* A new element, because screen readers do not repeat a text that stays the same. */}
        <span key={announcement.id}>{announcement.text}</span>
      </VisuallyHidden>
      <TabList tabs={tabs} onChange={change} />
      {tabs.length < max && (
        <AddTab
          tabs={tabs}
          isSubscriber={user.isSubscriber}
          field={field}
          input={input}
          error={error}
          readOnly={isSaving}
          onInputChange={changeInput}
          onAdd={addAndMoveFocus}
          onSubmit={(event) => {
            event.preventDefault()
            const tab = validateInput()
            if (tab) addAndMoveFocus(tab)
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
    // Moves the focus to another tab before the pressed button disappears.
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

/** Shows the field for a topic to pin, and suggested tabs. */
function AddTab({
  tabs,
  isSubscriber,
  field,
  input,
  error,
  readOnly,
  onInputChange,
  onAdd,
  onSubmit,
}: {
  tabs: string[]
  isSubscriber: boolean
  field: RefObject<HTMLInputElement | null>
  input: string
  error: string | undefined
  readOnly: boolean
  onInputChange: (input: string) => void
  onAdd: (tab: string) => void
  onSubmit: (event: FormEvent) => void
}) {
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
  return (
    <Box as="form" onSubmit={onSubmit} marginTop="4">
      <TextField
        ref={field}
        readOnly={readOnly}
        label={t`Add a topic`}
        placeholder={t`#topic`}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        maxLength={limits.tag.max + 1}
        value={input}
        error={error}
        onChange={(event) => onInputChange(event.target.value)}
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
              <Button size="sm" variant="outline" maxWidth="100%" onClick={() => onAdd(tab)}>
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
