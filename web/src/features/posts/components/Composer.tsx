import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { displayName } from '@/lib/person'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { composerId } from '@/ui/composer'
import { Card } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useCreatePost } from '../api/create'
import { useDraft } from '../useDraft'
import { ComposerText } from './ComposerText'
import { EmojiPicker } from './EmojiPicker'

const { max } = limits.postContent
/** Characters left at which the counter appears. */
const countFrom = 500
const nothing = 'Please enter some content or add an image/video for your post.'

/** Writes a post. What is not posted yet stays in the browser. */
export function Composer({ user }: { user: OwnUser }) {
  const { draft, write } = useDraft(user.id)
  const create = useCreatePost(user.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const left = max - draft.text.trim().length

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what is written
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    // `scrollHeight` is without the border.
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [draft.text])

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (create.isPending) return
    const content = draft.text.trim()
    if (content === '') {
      toast({ title: 'Error', description: nothing, tone: 'destructive' })
      box.current?.focus()
      return
    }
    if (left < 0) return
    create.mutate({ id: draft.id, content })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
  }
  const insert = (emoji: string) => {
    const element = box.current
    const at = element?.selectionEnd ?? draft.text.length
    write(draft.text.slice(0, at) + emoji + draft.text.slice(at))
    requestAnimationFrame(() => {
      element?.focus()
      element?.setSelectionRange(at + emoji.length, at + emoji.length)
    })
  }

  return (
    <Card
      asChild
      display="flex"
      gap="3"
      padding={{ base: '4', md: '5' }}
      paddingBottom={{ base: '3', md: '3' }}
    >
      <form onSubmit={submit} aria-label="New post">
        <Avatar person={{ ...user, displayName: displayName(user) }} />
        <Box flex="1" minWidth="0">
          <ComposerText
            ref={box}
            id={composerId}
            dir="auto"
            rows={1}
            value={draft.text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            readOnly={create.isPending}
            placeholder="What's on your mind?"
            aria-label="What's on your mind?"
            aria-invalid={left < 0 || undefined}
          />
          <Box display="flex" alignItems="center" gap="3" marginTop="2" marginInlineStart="-2.5">
            <EmojiPicker onChoose={insert} returnTo={box} />
            <Box
              role="status"
              marginInlineStart="auto"
              textStyle="small"
              fontVariantNumeric="tabular-nums"
              color={left < 0 ? 'danger.text' : 'muted'}
            >
              {left <= countFrom && (left < 0 ? `${-left} too many` : `${left} left`)}
            </Box>
            <Button
              type="submit"
              variant="ember"
              pending={create.isPending}
              pendingLabel="Posting..."
              disabled={left < 0}
            >
              Post
            </Button>
          </Box>
        </Box>
      </form>
    </Card>
  )
}
