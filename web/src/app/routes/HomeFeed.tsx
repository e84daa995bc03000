import FeedPage from '@/features/posts/pages/FeedPage'
import { CreatorUpdateItems, useHasCreatorUpdates } from '@/features/users/components/CreatorUpdates'
import { PeopleToFollow } from '@/features/users/components/PeopleToFollow'
import CommentsLayout from '../CommentsLayout'
import { HomeSidebar, QuickActionsBar } from '../HomeSidebar'

/** Shows the home feed at `/` to signed-in users. */
export default function HomeFeed() {
  // While the updates load, phones reserve space for them.
  const mayHaveUpdates = useHasCreatorUpdates() !== false
  return (
    <CommentsLayout>
      <FeedPage
        sidebar={<HomeSidebar />}
        belowComposer={<QuickActionsBar />}
        phoneItems={mayHaveUpdates && <CreatorUpdateItems />}
        suggestions={<PeopleToFollow />}
      />
    </CommentsLayout>
  )
}
