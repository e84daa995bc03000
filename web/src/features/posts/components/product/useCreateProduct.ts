import { Post } from '@contract/post.ts'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { addPost } from '../../api/post-cache'
import { clearPostedProduct, createProductRequest, getProductDraft } from '../../product-draft'
import type { ProductImage } from './useProductImage'

const failed = 'Failed to post product. Please try again.'

/** The picture's upload failed, and has said so. */
class NotSent extends Error {}

/**
 * Publishes the product that is described, once its picture is uploaded, under an id made by the page, so that a
 * repeated press stores it once. What was typed stays until it is posted.
 */
export function useCreateProduct(userId: string, picture: ProductImage) {
  const client = useQueryClient()
  const mutationKey = ['products', 'create', userId]
  const posting = useIsMutating({ mutationKey }) > 0
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: async () => {
      if (!(await picture.isReady())) throw new NotSent()
      const draft = getProductDraft(userId)
      return { draft, post: await api.post('/api/products', createProductRequest(draft), Post) }
    },
    onSuccess: async ({ draft, post }) => {
      picture.forget()
      clearPostedProduct(userId, draft)
      toast({ title: 'Product Posted!' })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      await addPost(client, post)
    },
    onError: (error) => {
      if (isUnauthorized(error) || error instanceof NotSent) return
      // It has to be chosen again.
      if (error instanceof ApiError && error.code === 'media_not_usable') picture.remove()
      const description = isTransient(error) ? failed : errorMessage(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
  /** `onPosted` is told while the dialog is still there. */
  const publish = (onPosted: () => void) => {
    // Two presses may come before the page has drawn the first one's effect.
    if (client.isMutating({ mutationKey }) === 0) mutate(undefined, { onSuccess: onPosted })
  }
  return { publish, posting }
}
