import { Box, chakra } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { nothingToPost } from '@contract/post.ts'
import type { EditScheduledPostRequest, ScheduledPost } from '@contract/scheduled-post.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isNotFound, translateServerText } from '@/lib/errors'
import { parseAmount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { TextLink } from '@/ui/layout'
import { postQuery } from '../../api/posts'
import { useScheduledPostActions } from '../../api/scheduled-posts'
import { altTextHint, validatePrice } from '../../model'
import { applyUnsavedEdits, dropStaleEdits, recordEdits, type UnsavedEdits } from '../../post-edits'
import { fromTimeInputs, scheduleProblem, type TimeInputs, toTimeInputs } from '../../schedule-times'
import { LongTextField } from '../composer/LongTextField'
import { PremiumFields } from '../composer/PremiumFields'
import LinkedPostCard from '../LinkedPostCard'
import { TimeFields } from './TimeFields'

interface Edits extends TimeInputs {
  content: string
  teaser: string
  altText: string
  price: string
  included: boolean
  showUnlocks: boolean
  quotedPostId: string | null
}

const editsFromPost = (post: ScheduledPost): Edits => ({
  ...toTimeInputs(new Date(post.publishAt)),
  content: post.content,
  teaser: post.teaser ?? '',
  altText: post.altText ?? '',
  price: post.premiumPrice?.toFixed(2) ?? '',
  included: post.includedInSubscription,
  showUnlocks: post.showUnlocks,
  quotedPostId: post.quotedPostId,
})

/** Returns the changes that save the edits, or undefined if nothing differs from the post. */
function changedFields(post: ScheduledPost, edits: Edits): EditScheduledPostRequest | undefined {
  const before = editsFromPost(post)
  const content = edits.content.trim()
  const teaser = edits.teaser.trim() || null
  const altText = edits.altText.trim() || null
  const price = parseAmount(edits.price)
  // Saving a post that failed reschedules it, so the time is sent even if it was not changed.
  const hasNewTime = edits.date !== before.date || edits.time !== before.time || post.failure !== null
  const changes: EditScheduledPostRequest = {
    ...(content !== post.content && { content }),
    ...(hasNewTime && { publishAt: fromTimeInputs(edits)?.toISOString() }),
    ...(post.mediaType && altText !== post.altText && { altText }),
    ...(edits.quotedPostId !== post.quotedPostId && { quotedPostId: null }),
    ...(post.isPremium && teaser !== post.teaser && { teaser }),
    ...(post.isPremium && price !== post.premiumPrice && { premiumPrice: price }),
    ...(edits.included !== before.included && { includedInSubscription: edits.included }),
    ...(edits.showUnlocks !== before.showUnlocks && { showUnlocks: edits.showUnlocks }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

/**
 * Edits that were neither saved nor discarded, by post id. They are kept so that closing the dialog by accident does
 * not lose them.
 */
const unsavedByPost = new Map<string, UnsavedEdits<Edits>>()

const Form = chakra('form', { base: { display: 'grid', gap: '4', paddingBlock: '2' } })

/**
 * Shows a form that edits the time, the text and the options of a scheduled post. If the post is published or deleted
 * in the meantime, the form stays, so that the user can copy the text.
 */
export function EditScheduledPostDialog({
  post,
  isGone,
  open,
  onClose,
  finalFocus,
}: {
  /** The latest version of the post. */
  post: ScheduledPost
  /** Whether the post is no longer scheduled. */
  isGone: boolean
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const formId = useId()
  const textRef = useRef<HTMLTextAreaElement>(null)
  const { edit, isEditing } = useScheduledPostActions(post.id)
  const discardAndClose = () => {
    unsavedByPost.delete(post.id)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Edit scheduled post`}
      initialFocus={() => textRef.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={discardAndClose}>
            {isGone ? t`Close` : t`Cancel`}
          </Button>
          {!isGone && (
            <Button type="submit" form={formId} variant="ember" pending={isEditing} pendingLabel={t`Saving…`}>
              {t`Save`}
            </Button>
          )}
        </>
      }
    >
      {isGone && <GoneNotice postId={post.id} />}
      <EditForm
        id={formId}
        post={post}
        textRef={textRef}
        disabled={isEditing || isGone}
        onSave={(edits) => {
          const changes = changedFields(post, edits)
          if (changes) edit(changes, discardAndClose)
          else discardAndClose()
        }}
      />
    </Dialog>
  )
}

/** Says that the post has been published, with a link to it, or that it has been deleted. */
function GoneNotice({ postId }: { postId: string }) {
  const { data, error } = useQuery(postQuery(postId))
  return (
    <Box role="alert" padding="3" borderRadius="md" bg="sunken" textStyle="small">
      {data ? (
        <>
          {t`This post has been published. Your changes weren't saved.`}{' '}
          <TextLink to={paths.post.getHref(postId)}>{t`View post`}</TextLink>
        </>
      ) : (
        isNotFound(error) && t`This post has been deleted. Your changes weren't saved.`
      )}
    </Box>
  )
}

function EditForm({
  id,
  post,
  textRef,
  disabled,
  onSave,
}: {
  id: string
  post: ScheduledPost
  textRef: RefObject<HTMLTextAreaElement | null>
  disabled: boolean
  onSave: (edits: Edits) => void
}) {
  const initial = editsFromPost(post)
  const [unsaved, setUnsaved] = useState(() => dropStaleEdits(initial, unsavedByPost.get(post.id)))
  const edits = applyUnsavedEdits(initial, unsaved)
  const [errors, setErrors] = useState<{ content?: string; price?: string; time?: string }>({})
  const form = useRef<HTMLFormElement>(null)
  const change = (fields: Partial<Edits>) => {
    const next = recordEdits(initial, unsaved, fields)
    unsavedByPost.set(post.id, next)
    setErrors({})
    setUnsaved(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (disabled) return
    const isTooLong =
      countCharacters(edits.content.trim()) > limits.postContent.max ||
      countCharacters(edits.teaser.trim()) > limits.teaser.max
    const price = post.isPremium ? validatePrice(edits.price) : undefined
    const isTimeKept = changedFields(post, edits)?.publishAt === undefined && fromTimeInputs(edits) !== null
    const time = isTimeKept ? undefined : scheduleProblem(edits, Date.now())
    const isEmpty = edits.content.trim() === '' && post.mediaType === null
    const nextErrors = {
      ...(isEmpty && { content: translateServerText(nothingToPost) }),
      ...(price && { price }),
      ...(time && { time }),
    }
    // Renders the errors synchronously, so that the first invalid input can be focused.
    flushSync(() => setErrors(nextErrors))
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (!isTooLong && Object.keys(nextErrors).length === 0) onSave(edits)
  }
  return (
    <Form ref={form} id={id} noValidate onSubmit={submit}>
      <TimeFields inputs={edits} onChange={change} error={errors.time} disabled={disabled} />
      <LongTextField
        inputRef={textRef}
        label={post.isPremium ? t`Premium text` : t`Text`}
        error={errors.content}
        value={edits.content}
        onChange={(content) => change({ content })}
        max={limits.postContent.max}
        rows={6}
        disabled={disabled}
      />
      {post.mediaType && (
        <TextField
          label={t`Alt text (optional)`}
          hint={altTextHint(post.mediaType)}
          value={edits.altText}
          onChange={(event) => change({ altText: event.target.value })}
          maxLength={limits.altText.max}
          readOnly={disabled}
          dir="auto"
        />
      )}
      {edits.quotedPostId && (
        <Box role="group" aria-label={t`Quoted post`} display="flex" alignItems="start" gap="1">
          <Box flex="1" minWidth="0">
            <LinkedPostCard postId={edits.quotedPostId} preview />
          </Box>
          <IconButton
            label={t`Remove quoted post`}
            disabled={disabled}
            onClick={() => {
              change({ quotedPostId: null })
              textRef.current?.focus()
            }}
          >
            <CloseIcon />
          </IconButton>
        </Box>
      )}
      {post.isPremium && (
        <PremiumFields
          values={edits}
          onChange={change}
          priceRef={null}
          priceError={errors.price}
          disabled={disabled}
        />
      )}
    </Form>
  )
}
