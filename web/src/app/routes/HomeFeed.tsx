import FeedPage from '@/features/posts/pages/FeedPage'
import { CreatorUpdateItems, useHasCreatorUpdates } from '@/features/users/components/CreatorUpdates'
import { PeopleToFollow } from '@/features/users/components/PeopleToFollow'
import { useMinWidth } from '@/ui/useMinWidth'
import CommentsLayout from '../CommentsLayout'
import { HomeSidebar, QuickActionsBar } from '../HomeSidebar'

/** Shows the home feed at `/` to signed-in users. */
export default function HomeFeed() {
  const isPhone = !useMinWidth('md')
  // While the updates load, phones reserve space for them.
  const mayHaveUpdates = useHasCreatorUpdates(isPhone) !== false
  return (
    <CommentsLayout>
      <FeedPage
        sidebar={<HomeSidebar />}
        belowComposer={<QuickActionsBar />}
        phoneItems={isPhone && mayHaveUpdates && <CreatorUpdateItems />}
        suggestions={<PeopleToFollow />}
      />
    </CommentsLayout>
  )
}
