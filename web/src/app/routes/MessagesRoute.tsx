import { type ComponentProps, lazy, Suspense } from 'react'
import MessagesPage from '@/features/messages/pages/MessagesPage'
import { type PostSlots, PostSlotsProvider } from '@/features/messages/post-slots'
import { Skeleton } from '@/ui/Skeleton'

const LinkedPostCard = lazy(() => import('@/features/posts/components/LinkedPostCard'))
const PostPickerDialog = lazy(() => import('@/features/posts/components/PostPickerDialog'))

const postSlots: PostSlots = {
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

/** Shows the messages page with the posts that messages link to. */
export default function MessagesRoute() {
  return (
    <PostSlotsProvider value={postSlots}>
      <MessagesPage />
    </PostSlotsProvider>
  )
}
