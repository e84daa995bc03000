import type { Post } from '@contract/post.ts'
import { lazy, Suspense, useRef, useState } from 'react'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { LinkIcon, MoreIcon, PencilIcon, TrashIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { toast } from '@/ui/toaster'
import { useDeletePost } from '../api/post-actions'

const EditPostDialog = lazy(async () => ({
  default: (await import('./composer/EditPostDialog')).EditPostDialog,
}))

/** Shows the menu of a post. Only its author can edit and delete it, and only others can report it. */
export function PostMenu({ post, onDeleted }: { post: Post; onDeleted?: () => void }) {
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false)
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isEditing, setEditing] = useState<boolean | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const deletePost = useDeletePost(post.id)
  const confirmDelete = () =>
    deletePost.mutate(undefined, {
      onSuccess: onDeleted,
      onError: () => setDeleteDialogOpen(false),
    })
  return (
    <>
      <Menu
        label="Post"
        trigger={
          <Button ref={trigger} size="icon" variant="ghost" aria-label="More about this post">
            <MoreIcon />
          </Button>
        }
      >
        <MenuItem value="link" onSelect={() => void copyLink(post.id)}>
          <LinkIcon /> Copy link
        </MenuItem>
        {!post.mine && (
          <ReportMenuItems
            subject={{
              kind: 'post',
              id: post.id,
              user: { id: post.userId, name: displayName(post.user) },
              finalFocus: () => trigger.current,
            }}
          />
        )}
        {post.mine && !post.hidden && (
          <MenuItem value="edit" onSelect={() => setEditing(true)}>
            <PencilIcon /> Edit post
          </MenuItem>
        )}
        {post.mine && (
          <MenuItem value="delete" danger onSelect={() => setDeleteDialogOpen(true)}>
            <TrashIcon /> Delete post
          </MenuItem>
        )}
      </Menu>
      {isEditing !== null && (
        <Suspense fallback={null}>
          <EditPostDialog
            post={post}
            open={isEditing}
            onClose={() => setEditing(false)}
            finalFocus={() => trigger.current}
          />
        </Suspense>
      )}
      {post.mine && (
        <ConfirmDialog
          open={isDeleteDialogOpen}
          onClose={() => setDeleteDialogOpen(false)}
          onConfirm={confirmDelete}
          pending={deletePost.isPending}
          finalFocus={() => trigger.current}
          title="Delete this post?"
          text="It is gone for everyone, with its likes and comments. This cannot be taken back."
          confirmLabel="Delete"
        />
      )}
    </>
  )
}

async function copyLink(postId: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${window.location.origin}${paths.post.getHref(postId)}`)
    toast({ title: 'Link copied' })
  } catch {
    toast({ title: 'The link could not be copied', tone: 'destructive' })
  }
}
