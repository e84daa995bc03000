import MessagesPage from '@/features/messages/pages/MessagesPage'
import { PostSlotsProvider } from '@/features/messages/post-slots'
import { postSlots } from './post-slots'

/** Shows the messages page with the posts that messages link to. */
export default function MessagesRoute() {
  return (
    <PostSlotsProvider value={postSlots}>
      <MessagesPage />
    </PostSlotsProvider>
  )
}
