import { chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextField } from '@/ui/Field'
import { useEditPost } from '../../api/edit-post'
import {
  applyUnsavedEdits,
  changedFields,
  dropStaleEdits,
  editProblems,
  type PostEdits,
  productFromEdits,
  recordEdits,
  type UnsavedEdits,
} from '../../post-edits'
import { ProductFields } from '../product/ProductFields'
import { LongTextField } from './LongTextField'
import { PremiumFields } from './PremiumFields'

/** Edits of posts that were neither saved nor given up, by post: closing by accident loses nothing. */
const unsaved = new Map<string, UnsavedEdits>()

const Form = chakra('form', { base: { display: 'grid', gap: '4', paddingBlock: '2' } })

/**
 * Changes text, alt text, and of a premium post teaser, price and whether subscribers get it, of one's own posts; the post changes
 * wherever it is shown.
 */
export function EditPostDialog({
  post,
  open,
  onClose,
  finalFocus,
}: {
  post: Post
  open: boolean
  onClose: () => void
  /** As a `Dialog`'s: needed where it opens out of a menu, whose item is gone by then. */
  finalFocus?: () => HTMLElement | null
}) {
  const form = useId()
  const text = useRef<HTMLTextAreaElement>(null)
  const edit = useEditPost(post.id)
  const give = () => {
    unsaved.delete(post.id)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={post.product ? 'Edit product' : 'Edit post'}
      initialFocus={() => text.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={give}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant="ember" pending={edit.isPending} pendingLabel="Saving...">
            Save
          </Button>
        </>
      }
    >
      <EditForm
        id={form}
        post={post}
        textRef={text}
        pending={edit.isPending}
        onSave={(edits) => {
          const changes = changedFields(post, edits)
          if (changes) edit.mutate(changes, { onSuccess: give })
          else give()
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
  const [kept, setKept] = useState(() => dropStaleEdits(post, unsaved.get(post.id)))
  const edits = applyUnsavedEdits(post, kept)
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const priceRef = useRef<HTMLInputElement>(null)
  const problems = isChecked ? editProblems(post, edits) : {}
  const change = (fields: Partial<PostEdits>) => {
    const next = recordEdits(post, kept, fields)
    unsaved.set(post.id, next)
    setKept(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    const found = editProblems(post, edits)
    if (found.price) priceRef.current?.focus()
    if (found.product) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const isTooLong =
      edits.content.trim().length > limits.postContent.max || edits.teaser.trim().length > limits.teaser.max
    if (!pending && !isTooLong && Object.keys(found).length === 0) onSave(edits)
  }
  return (
    <Form ref={form} id={id} noValidate onSubmit={submit}>
      {post.product && (
        <ProductFields
          text={productFromEdits(edits)}
          onChange={({ price, ...fields }) =>
            change({ ...fields, ...(price !== undefined && { productPrice: price }) })
          }
          problems={problems.product ?? {}}
          disabled={pending}
        />
      )}
      <LongTextField
        inputRef={textRef}
        label={labelOf(post)}
        error={problems.content}
        value={edits.content}
        onChange={(content) => change({ content })}
        max={limits.postContent.max}
        rows={6}
        disabled={pending}
      />
      {post.mediaType && (
        <TextField
          label="Alt text (optional)"
          hint="Says what is to be seen, for people who cannot see it."
          value={edits.altText}
          onChange={(event) => change({ altText: event.target.value })}
          maxLength={limits.altText.max}
          readOnly={pending}
          dir="auto"
        />
      )}
      {post.isPremium && (
        <PremiumFields
          draft={edits}
          onChange={change}
          priceRef={priceRef}
          priceError={problems.price}
          disabled={pending}
        />
      )}
    </Form>
  )
}

function labelOf(post: Post): string {
  if (post.product) return 'Description'
  return post.isPremium ? 'Text for those who pay' : 'Text'
}
