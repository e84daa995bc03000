import { type ComponentProps, lazy, Suspense } from 'react'
import type { PostSlots } from '@/features/messages/post-slots'
import { Skeleton } from '@/ui/Skeleton'

const LinkedPostCard = lazy(() => import('@/features/posts/components/LinkedPostCard'))
const PostPickerDialog = lazy(() => import('@/features/posts/components/PostPickerDialog'))

/** The components for posts in messages. */
export const postSlots: PostSlots = {
  Card: (props: ComponentProps<PostSlots['Card']>) => (
    <Suspense fallback={<Skeleton height="5rem" borderRadius="md" />}>
      <LinkedPostCard {...props} />
    </Suspense>
  ),
  Picker: (props: ComponentProps<PostSlots['Picker']>) => (
    <Suspense fallback={null}>
      <PostPickerDialog {...props} />
    </Suspense>
  ),
}
