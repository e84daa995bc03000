import { type EditPostRequest, nothingToPost, type Post } from '@contract/post.ts'
import { translateServerText } from '@/lib/errors'
import { parseAmount } from '@/lib/format'
import { validatePrice } from './model'
import {
  emptyProduct,
  type ProductFormErrors,
  type ProductFormValues,
  productFormValues,
  productRequest,
  validateProduct,
} from './product-draft'

/** The values of the inputs in the dialog that edits a post. */
export interface PostEdits {
  content: string
  teaser: string
  altText: string
  price: string
  /** Whether the post is free for the author's subscribers. */
  included: boolean
  showUnlocks: boolean
  /** The name of the product. */
  name: string
  productPrice: string
  storeUrl: string
  category: string
}

/** Returns the initial values of the inputs for a post. */
export function editsFromPost(post: Post): PostEdits {
  const { price: productPrice, ...product } = productFormValues(post) ?? emptyProduct
  return {
    ...product,
    productPrice,
    content: post.content,
    teaser: post.teaser ?? '',
    altText: post.altText ?? '',
    price: post.premiumPrice?.toFixed(2) ?? '',
    included: post.includedInSubscription,
    showUnlocks: post.unlocksCount !== null,
  }
}

/** Returns the values of the product's inputs. */
export function productFromEdits({
  name,
  productPrice: price,
  storeUrl,
  category,
}: PostEdits): ProductFormValues {
  return { name, price, storeUrl, category }
}

/**
 * The inputs with unsaved changes, each with its value before the first change and its current value. `Edits` contains
 * the values of all inputs.
 */
export type UnsavedEdits<Edits> = { [Field in keyof Edits]?: { from: Edits[Field]; to: Edits[Field] } }

/**
 * Returns the values of the inputs: each input's unsaved value or, if it has none, its initial value.
 *
 * @param initial the values of the latest version of the post
 */
export function applyUnsavedEdits<Edits extends object>(initial: Edits, unsaved: UnsavedEdits<Edits>): Edits {
  const edits = { ...initial }
  for (const field of fieldsOf(unsaved)) edits[field] = unsaved[field]?.to ?? edits[field]
  return edits
}

/** Returns the unsaved edits after a change. Unchanged inputs are omitted, so they show the latest values. */
export function recordEdits<Edits extends object>(
  initial: Edits,
  unsaved: UnsavedEdits<Edits>,
  changes: Partial<Edits>,
): UnsavedEdits<Edits> {
  const next: UnsavedEdits<Edits> = { ...unsaved }
  for (const field of fieldsOf(changes)) {
    const to = changes[field]
    if (to !== undefined) next[field] = { from: unsaved[field]?.from ?? initial[field], to }
  }
  return next
}

/** Returns the unsaved edits, except edits to fields that were changed elsewhere in the meantime. */
export function dropStaleEdits<Edits extends object>(
  initial: Edits,
  unsaved: UnsavedEdits<Edits> = {},
): UnsavedEdits<Edits> {
  const next: UnsavedEdits<Edits> = {}
  for (const field of fieldsOf(unsaved))
    if (unsaved[field]?.from === initial[field]) next[field] = unsaved[field]
  return next
}

const fieldsOf = <Edits extends object>(edits: Edits) => Object.keys(edits) as (keyof Edits)[]

/** Returns the request that saves the edits, or undefined if nothing differs from the post. */
export function changedFields(post: Post, edits: PostEdits): EditPostRequest | undefined {
  const content = edits.content.trim()
  const teaser = edits.teaser.trim() || null
  const altText = edits.altText.trim() || null
  const price = parseAmount(edits.price)
  const changes: EditPostRequest = {
    ...(content !== post.content && { content }),
    ...(post.isPremium && teaser !== post.teaser && { teaser }),
    ...(post.mediaType !== null && altText !== post.altText && { altText }),
    ...(post.isPremium && !Number.isNaN(price) && price !== post.premiumPrice && { premiumPrice: price }),
    ...(post.isPremium &&
      edits.included !== post.includedInSubscription && { includedInSubscription: edits.included }),
    ...(post.isPremium &&
      edits.showUnlocks !== (post.unlocksCount !== null) && { showUnlocks: edits.showUnlocks }),
    ...(post.product &&
      isProductChanged(post, edits) && { product: productRequest(productFromEdits(edits)) }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

function isProductChanged(post: Post, edits: PostEdits): boolean {
  const current = productFormValues(post) ?? emptyProduct
  const { name, price, storeUrl, category } = productFromEdits(edits)
  return (
    name.trim() !== current.name ||
    parseAmount(price) !== post.product?.price ||
    storeUrl.trim() !== current.storeUrl ||
    category.trim() !== current.category
  )
}

/** Returns the error messages for the edits, by input. The object is empty if there are none. */
export function validateEdits(
  post: Post,
  edits: PostEdits,
): { content?: string; price?: string; product?: ProductFormErrors } {
  if (post.product) {
    const { description, ...product } = validateProduct(productFromEdits(edits), edits.content)
    return {
      ...(description && { content: description }),
      ...(Object.keys(product).length > 0 && { product }),
    }
  }
  const price = post.isPremium ? validatePrice(edits.price) : undefined
  const isEmpty = edits.content.trim() === '' && post.mediaType === null
  return { ...(isEmpty && { content: translateServerText(nothingToPost) }), ...(price && { price }) }
}
