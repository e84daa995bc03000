import type { Comment } from '@contract/comment.ts'
import type { UserCard } from '@contract/user.ts'
import { useRef } from 'react'
import { displayName } from '@/lib/text'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { MoreIcon } from '@/ui/icons'
import { Menu } from '@/ui/Menu'
import { CommentAction } from './CommentAction'

/** What else can be done with somebody else's comment or reply. */
export function CommentMenu({ comment, user }: { comment: Comment; user: UserCard }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const what = comment.parentCommentId ? 'reply' : 'comment'
  const name = displayName(user)
  return (
    <Menu
      label={`More about this ${what}`}
      trigger={
        <CommentAction
          ref={trigger}
          type="button"
          fontSize="lg"
          aria-label={`More about the ${what} by ${name}`}
        >
          <MoreIcon />
        </CommentAction>
      }
    >
      <ReportMenuItems
        subject={{
          kind: 'comment',
          id: comment.id,
          person: { id: user.id, name },
          finalFocus: () => trigger.current,
        }}
      />
    </Menu>
  )
}
