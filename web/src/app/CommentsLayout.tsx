import { Box } from '@chakra-ui/react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { CommentSkeletons } from '@/features/comments/components/CommentStates'
import { type CommentsProps, CommentsSlot } from '@/features/posts/comments-slot'

const Comments = lazy(() => import('@/features/comments/components/Comments'))

function LazyComments(props: CommentsProps) {
  return (
    <Suspense
      fallback={
        <Box paddingInline={props.inPane ? '4' : '0'}>
          <CommentSkeletons />
        </Box>
      }
    >
      <Comments {...props} />
    </Suspense>
  )
}

/** Provides `children`, or the child routes if it is omitted, with the component that shows comments below a post. */
export default function CommentsLayout({ children }: { children?: ReactNode }) {
  return <CommentsSlot value={LazyComments}>{children ?? <Outlet />}</CommentsSlot>
}
