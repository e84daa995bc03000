import { chakra } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextField } from '@/ui/Field'
import { useEditPost } from '../../api/post-actions'
import { altTextHint } from '../../model'
import {
  applyUnsavedEdits,
  changedFields,
  dropStaleEdits,
  editsFromPost,
  type PostEdits,
  productFromEdits,
  recordEdits,
  type UnsavedEdits,
  validateEdits,
} from '../../post-edits'
import { ProductFields } from '../product/ProductFields'
import { LongTextField } from './LongTextField'
import { PremiumFields } from './PremiumFields'

/**
 * Edits that were neither saved nor discarded, by post id. They are kept so that closing the dialog by accident does
 * not lose them.
 */
const unsavedByPost = new Map<string, UnsavedEdits<PostEdits>>()

const Form = chakra('form', { base: { display: 'grid', gap: '4', paddingBlock: '2' } })

/** Shows a form that edits one of the current user's posts. Only the inputs that apply to the post are shown. */
export function EditPostDialog({
  post,
  open,
  onClose,
  finalFocus,
}: {
  post: Post
  open: boolean
  onClose: () => void
  /**
   * See `Dialog`. Needed if a menu item opens the dialog, because the menu item no longer exists when the dialog
   * closes.
   */
  finalFocus?: () => HTMLElement | null
}) {
  const formId = useId()
  const textRef = useRef<HTMLTextAreaElement>(null)
  const editPost = useEditPost(post.id)
  const discardAndClose = () => {
    unsavedByPost.delete(post.id)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={post.product ? t`Edit product` : t`Edit post`}
      initialFocus={() => textRef.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={discardAndClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="ember"
            pending={editPost.isPending}
            pendingLabel={t`Saving…`}
          >
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <EditForm
        id={formId}
        post={post}
        textRef={textRef}
        pending={editPost.isPending}
        onSave={(edits) => {
          const changes = changedFields(post, edits)
          if (changes) editPost.mutate(changes, { onSuccess: discardAndClose })
          else discardAndClose()
        }}
      />
    </Dialog>
  )
}

function EditForm({
  id,
  post,
  textRef,
  pending,
  onSave,
}: {
  id: string
  post: Post
  textRef: RefObject<HTMLTextAreaElement | null>
  pending: boolean
  onSave: (edits: PostEdits) => void
}) {
  const initial = editsFromPost(post)
  const [unsaved, setUnsaved] = useState(() => dropStaleEdits(initial, unsavedByPost.get(post.id)))
  const edits = applyUnsavedEdits(initial, unsaved)
  const [isSubmitted, setSubmitted] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const priceRef = useRef<HTMLInputElement>(null)
  const errors = validateEdits(post, edits)
  const shownErrors = isSubmitted ? errors : {}
  const change = (fields: Partial<PostEdits>) => {
    const next = recordEdits(initial, unsaved, fields)
    unsavedByPost.set(post.id, next)
    setUnsaved(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Renders the errors synchronously, so that the first invalid input can be focused.
    flushSync(() => setSubmitted(true))
    if (errors.price) priceRef.current?.focus()
    if (errors.product) formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const isTooLong =
      countCharacters(edits.content.trim()) > limits.postContent.max ||
      countCharacters(edits.teaser.trim()) > limits.teaser.max
    if (!pending && !isTooLong && Object.keys(errors).length === 0) onSave(edits)
  }
  return (
    <Form ref={formRef} id={id} noValidate onSubmit={submit}>
      {post.product && (
        <ProductFields
          values={productFromEdits(edits)}
          onChange={({ price, ...fields }) =>
            change({ ...fields, ...(price !== undefined && { productPrice: price }) })
          }
          errors={shownErrors.product ?? {}}
          disabled={pending}
        />
      )}
      <LongTextField
        inputRef={textRef}
        label={textLabel(post)}
        error={shownErrors.content}
        value={edits.content}
        onChange={(content) => change({ content })}
        max={limits.postContent.max}
        rows={6}
        disabled={pending}
      />
      {post.mediaType && (
        <TextField
          label={t`Alt text (optional)`}
          hint={altTextHint(post.mediaType)}
          value={edits.altText}
          onChange={(event) => change({ altText: event.target.value })}
          maxLength={limits.altText.max}
          readOnly={pending}
          dir="auto"
        />
      )}
      {post.isPremium && (
        <PremiumFields
          values={edits}
          onChange={change}
          priceRef={priceRef}
          priceError={shownErrors.price}
          disabled={pending}
        />
      )}
    </Form>
  )
}

function textLabel(post: Post): string {
  if (post.product) return t`Description`
  return post.isPremium ? t`Premium text` : t`Text`
}
