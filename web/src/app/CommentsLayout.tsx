import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { CommentSkeletons } from '@/features/comments/components/CommentStates'
import { type CommentsProps, CommentsSlot } from '@/features/posts/comments-slot'

const Comments = lazy(() => import('@/features/comments/components/Comments'))

function CommentsWhenLoaded(props: CommentsProps) {
  return (
    <Suspense fallback={<CommentSkeletons />}>
      <Comments {...props} />
    </Suspense>
  )
}

/** Around screens that show posts: comments open under them. Without children, the screens are those of the route. */
export default function CommentsLayout({ children }: { children?: ReactNode }) {
  return <CommentsSlot value={CommentsWhenLoaded}>{children ?? <Outlet />}</CommentsSlot>
}
