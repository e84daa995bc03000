import { chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { fillAllFields, invalidStoreUrl } from '@contract/product.ts'
import type { OwnUser } from '@contract/user.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toaster'
import { changeProductDraft, useProductDraft } from '../../product-draft'
import { type ProductFormErrors, validateProduct } from '../../product-form'
import { LongTextField } from '../composer/LongTextField'
import { ProductFields } from './ProductFields'
import { ProductImageField } from './ProductImageField'
import { useCreateProduct } from './useCreateProduct'
import { useProductImage } from './useProductImage'

const Form = chakra('form', { base: { display: 'grid', gap: '4', paddingBlock: '2' } })

/** Publishes a product from any screen. What is typed stays in the browser until it is posted. */
export default function ProductDialog({
  user,
  open,
  onClose,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
}) {
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const draft = useProductDraft(user.id)
  const picture = useProductImage(user.id)
  const { publish, posting } = useCreateProduct(user.id, picture)
  const [isChecked, setChecked] = useState(false)
  const problems = isChecked ? validateProduct(draft, draft.description) : {}
  const close = () => {
    setChecked(false)
    onClose()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (posting) return
    const found = validateProduct(draft, draft.description)
    if (Object.keys(found).length === 0) {
      publish(close)
      return
    }
    flushSync(() => setChecked(true))
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    toast({ title: 'Error', description: firstOf(found), tone: 'destructive' })
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title="Add Product"
      description="It is shown as a post, with a link to your store."
      initialFocus={() => form.current?.querySelector('input') ?? null}
      footer={
        <>
          <Button variant="outline" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="ember" pending={posting} pendingLabel="Posting...">
            Post Product
          </Button>
        </>
      }
    >
      <Form ref={form} id={formId} noValidate onSubmit={submit} aria-label="New product">
        <ProductFields
          text={draft}
          onChange={(fields) => changeProductDraft(user.id, fields)}
          problems={problems}
          disabled={posting}
        />
        <LongTextField
          label="Description"
          hint="Hashtags and mentions count here."
          error={problems.description}
          value={draft.description}
          onChange={(description) => changeProductDraft(user.id, { description })}
          max={limits.postContent.max}
          disabled={posting}
        />
        <ProductImageField userId={user.id} draft={draft} picture={picture} disabled={posting} />
      </Form>
    </Dialog>
  )
}

/** What is missing is said before what is wrong. */
function firstOf(problems: ProductFormErrors): string {
  const said = Object.values(problems)
  return [fillAllFields, invalidStoreUrl].find((text) => said.includes(text)) ?? said[0] ?? fillAllFields
}
