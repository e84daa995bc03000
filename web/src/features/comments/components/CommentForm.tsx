import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import { countCharacters, limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { Textarea } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, SendIcon } from '@/ui/icons'
import { userTextLine } from '@/ui/UserText'
import { useAutoHeight } from '@/ui/useAutoHeight'
import { useMinWidth } from '@/ui/useMinWidth'
import { useCommentDraft, useCreateComment } from '../api'

const maxLength = limits.commentContent.max
/** On phones, the docked form shows the character count when at most this many characters remain. */
const counterThreshold = 100

/**
 * Shows the form for a comment, or for a reply if `replyTo` is set. Enter submits, and Shift+Enter inserts a line
 * break. Unsent text is kept as a draft. For a top-level comment, the submit button appears when the form gets focus.
 * It stays when the form loses focus, because hiding it would move the element that the user is pressing. The docked
 * form has an icon button beside the text instead.
 */
export function CommentForm({
  user,
  postId,
  replyTo,
  docked = false,
  onCount,
  onPosted,
  onCancel,
}: {
  user: OwnUser
  postId: string
  /**
   * The comment or reply that the user is replying to. If it is another user's reply, the text starts with a mention of
   * that user.
   */
  replyTo?: Pick<Comment, 'id' | 'parentCommentId' | 'user' | 'mine'>
  /** True in the bar at the bottom of a phone's screen and at the foot of the pane beside a post. */
  docked?: boolean
  onCount: (delta: number) => void
  /** Called with the id of the comment once it is stored. `hadFocus` is whether the form still had focus. */
  onPosted?: (id: string, hadFocus: boolean) => void
  onCancel?: () => void
}) {
  const { draft, setText } = useCommentDraft(user.id, replyTo?.id ?? postId)
  const { createComment, isPending } = useCreateComment({ postId, replyTo }, user.id, onCount)
  const formRef = useRef<HTMLFormElement>(null)
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const [isUsed, setUsed] = useState(false)
  const [isEdited, setEdited] = useState(false)
  const isWide = useMinWidth('md')
  const mention = replyTo?.parentCommentId && replyTo.user && !replyTo.mine ? `@${replyTo.user.handle} ` : ''
  const text = draft.text === '' && !isEdited ? mention : draft.text
  // Whitespace around the text does not count.
  const length = countCharacters(text.trim())
  const isTooLong = length > maxLength
  const canSubmit = !['', mention.trim()].includes(text.trim()) && !isTooLong

  useAutoHeight(textareaRef, text)

  const isReply = replyTo !== undefined
  const name = replyTo && displayName(replyTo.user, t`Deleted user`)
  useEffect(() => {
    const field = textareaRef.current
    if (!isReply || !field) return
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  }, [isReply])

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!canSubmit || isPending) return
    createComment(
      { id: draft.id, content: text.trim() },
      {
        onSuccess: ({ id }) => {
          // The user may have moved the focus elsewhere while the request was pending. Focus on an ancestor of the form
          // still counts, because the second click of a double click on the disabled button moves it there.
          const [form, focused] = [formRef.current, document.activeElement]
          const hadFocus = form?.contains(focused) === true || focused?.contains(form) === true
          if (hadFocus && !isReply) textareaRef.current?.focus()
          onPosted?.(id, hadFocus)
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onCancel) onCancel()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  const submitLabel = isReply
    ? t({ message: 'Reply', context: 'verb' })
    : t({ message: 'Comment', context: 'verb' })
  const isCounterShown =
    docked && !isWide ? maxLength - length <= counterThreshold : isReply || isUsed || text !== ''
  return (
    <form ref={formRef} onSubmit={submit} onFocus={() => setUsed(true)}>
      {docked && name && (
        <Box display="flex" alignItems="center" marginBottom="-2" textStyle="small" color="muted">
          <Box flex="1" minWidth="0" {...userTextLine} truncate>
            <Trans>
              Replying to <bdi>{name}</bdi>
            </Trans>
          </Box>
          <IconButton label={t`Cancel`} tooltip={false} marginInlineEnd="-2.5" onClick={onCancel}>
            <CloseIcon />
          </IconButton>
        </Box>
      )}
      <Box display="flex" alignItems={docked && !isWide ? 'flex-end' : undefined} gap="2.5" paddingBlock="2">
        <Box display="flex" height="fit-content" paddingBlock="1.5">
          <Avatar user={{ ...user, displayName: displayName(user) }} size="sm" />
        </Box>
        <Box flex="1" minWidth="0">
          <Textarea
            ref={textareaRef}
            dir="auto"
            rows={1}
            value={text}
            onChange={(event) => {
              setEdited(true)
              setText(event.target.value)
            }}
            onKeyDown={onKeyDown}
            readOnly={isPending}
            placeholder={isReply ? t`Write a reply…` : t`Write a comment…`}
            aria-label={name ? t`Reply to ${name}` : t`Write a comment`}
            aria-invalid={isTooLong || undefined}
            enterKeyHint="send"
            minHeight="target"
            maxHeight={docked ? '7.5rem' : '15rem'}
            paddingBlock="2.5"
            resize="none"
            borderRadius="lg"
            lineHeight="normal"
          />
          <Box alignItems="center" gap="2" marginTop="1.5" display={isCounterShown ? 'flex' : 'none'}>
            <Box
              as="span"
              textStyle="caption"
              fontVariantNumeric="tabular-nums"
              color={isTooLong ? 'danger.text' : 'muted'}
              marginInlineEnd="auto"
              paddingInlineStart="1"
            >
              {formatCount(length)}/{formatCount(maxLength)}
            </Box>
            {!docked && onCancel && (
              <Button size="sm" variant="ghost" onClick={onCancel}>
                <Trans>Cancel</Trans>
              </Button>
            )}
            {!docked && (
              <Button
                type="submit"
                size="sm"
                variant={canSubmit ? 'ember' : 'quiet'}
                disabled={!canSubmit}
                pending={isPending}
              >
                {submitLabel}
              </Button>
            )}
          </Box>
        </Box>
        {docked && (
          <IconButton
            type="submit"
            variant="ember"
            label={submitLabel}
            tooltip={false}
            disabled={!canSubmit}
            pending={isPending}
            _disabled={{ bg: 'fill', color: 'muted', opacity: 1 }}
          >
            {!isPending && <SendIcon />}
          </IconButton>
        )}
      </Box>
    </form>
  )
}
