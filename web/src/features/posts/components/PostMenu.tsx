import { useState } from 'react'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { MoreIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { useDeletePost } from '../api/delete'

/** What its author can do with a post. */
export function PostMenu({ postId, onDeleted }: { postId: string; onDeleted?: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useDeletePost(postId)
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: onDeleted,
      onError: () => setAsking(false),
    })
  return (
    <>
      <Menu
        label="Post"
        trigger={
          <Button size="icon" variant="ghost" aria-label="More about this post">
            <MoreIcon />
          </Button>
        }
      >
        <MenuItem value="delete" danger onSelect={() => setAsking(true)}>
          Delete post
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        pending={remove.isPending}
        title="Delete this post?"
        text="It is gone for everyone, with its likes. This cannot be taken back."
        confirmLabel="Delete"
      />
    </>
  )
}
