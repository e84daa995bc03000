import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { Textarea } from '@/ui/Field'
import { useAutoHeight } from '@/ui/useAutoHeight'
import { useCreateComment } from '../create-comment'
import { useCommentDraft } from '../useCommentDraft'

const { max } = limits.commentContent

/**
 * Where a comment is written, or a reply when `replyTo` names one. Enter posts, Shift+Enter starts a line; what is
 * not posted stays.
 */
export function CommentForm({
  user,
  postId,
  replyTo,
  onCount,
  onPosted,
  onCancel,
}: {
  user: OwnUser
  postId: string
  /** The comment that is answered, and whose it is. */
  replyTo?: { id: string; name: string }
  onCount: (by: number) => void
  /** Once it is stored, with whether the focus was still here; without it, the focus goes back to the box. */
  onPosted?: (hadFocus: boolean) => void
  onCancel?: () => void
}) {
  const { draft, write } = useCommentDraft(user.id, replyTo?.id ?? postId)
  const { send, isPending } = useCreateComment({ postId, replyTo: replyTo?.id }, user.id, onCount)
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const { text } = draft
  const left = max - text.length
  const ready = text.trim() !== '' && left >= 0

  useAutoHeight(box, text)

  const isReply = replyTo !== undefined
  useEffect(() => {
    if (isReply) box.current?.focus()
  }, [isReply])

  const post = (event?: FormEvent) => {
    event?.preventDefault()
    if (!ready || isPending) return
    send(
      { id: draft.id, content: text.trim() },
      {
        onSuccess: () => {
          // While it was sent, its author may have gone on to something else.
          const { activeElement } = document
          const hadFocus = activeElement === document.body || (form.current?.contains(activeElement) ?? false)
          if (onPosted) onPosted(hadFocus)
          else if (hadFocus) box.current?.focus()
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onCancel) onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    post()
  }

  return (
    <Box asChild display="flex" gap="2.5" paddingBlock="2">
      <form ref={form} onSubmit={post}>
        <Box paddingTop="1.5">
          <Avatar person={{ ...user, displayName: displayName(user) }} size="sm" />
        </Box>
        <Box flex="1" minWidth="0">
          <Textarea
            ref={box}
            dir="auto"
            rows={1}
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            readOnly={isPending}
            placeholder={isReply ? 'Write a reply...' : 'Write a comment...'}
            aria-label={isReply ? `Reply to ${replyTo.name}` : 'Write a comment'}
            aria-invalid={left < 0 || undefined}
            enterKeyHint="send"
            minHeight="target"
            maxHeight="15rem"
            paddingBlock="2.5"
            resize="none"
            borderRadius="lg"
            lineHeight="normal"
          />
          <Box display="flex" alignItems="center" gap="2" marginTop="1.5">
            <Box
              as="span"
              textStyle="caption"
              fontVariantNumeric="tabular-nums"
              color={left < 0 ? 'danger.text' : 'muted'}
              marginInlineEnd="auto"
              paddingInlineStart="1"
            >
              {text.length}/{max}
            </Box>
            {onCancel && (
              <Button size="sm" variant="ghost" onClick={onCancel}>
                Cancel
              </Button>
            )}
            <Button
              type="submit"
              size="sm"
              variant={ready ? 'ember' : 'quiet'}
              disabled={!ready}
              pending={isPending}
            >
              {isReply ? 'Reply' : 'Comment'}
            </Button>
          </Box>
        </Box>
      </form>
    </Box>
  )
}
