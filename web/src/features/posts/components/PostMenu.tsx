import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { LinkIcon, MoreIcon, PencilIcon, PinIcon, TrashIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { copyLink } from '@/ui/share-link'
import { useDeletePost, usePinPost } from '../api/post-actions'
import { postUrl } from '../model'

const EditPostDialog = lazy(async () => ({
  default: (await import('./composer/EditPostDialog')).EditPostDialog,
}))

/** Shows the menu of a post. Only its author can pin, edit and delete it, and only others can report it. */
export function PostMenu({ post, onDeleted }: { post: Post; onDeleted?: () => void }) {
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false)
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isEditing, setEditing] = useState<boolean | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const deletePost = useDeletePost(post.id)
  const pinPost = usePinPost(post.id)
  const confirmDelete = () =>
    deletePost.mutate(undefined, {
      onSuccess: onDeleted,
      onError: () => setDeleteDialogOpen(false),
    })
  return (
    <>
      <Menu
        label={t`Post`}
        trigger={
          <Button ref={trigger} size="icon" variant="ghost" aria-label={t`More about this post`}>
            <MoreIcon />
          </Button>
        }
      >
        <MenuItem value="link" onSelect={() => void copyLink(postUrl(post.id))}>
          <LinkIcon /> <Trans>Copy link</Trans>
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
        {post.mine && (post.pinned || !post.hidden) && (
          <MenuItem value="pin" onSelect={() => pinPost.mutate(!post.pinned)}>
            <PinIcon /> {post.pinned ? <Trans>Unpin from profile</Trans> : <Trans>Pin to profile</Trans>}
          </MenuItem>
        )}
        {post.mine && !post.hidden && (
          <MenuItem value="edit" onSelect={() => setEditing(true)}>
            <PencilIcon /> <Trans>Edit post</Trans>
          </MenuItem>
        )}
        {post.mine && (
          <MenuItem value="delete" danger onSelect={() => setDeleteDialogOpen(true)}>
            <TrashIcon /> <Trans>Delete post</Trans>
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
          title={t`Delete this post?`}
          text={t`This deletes the post, its likes and its comments for everyone. You can't undo this.`}
          confirmLabel={t`Delete`}
        />
      )}
    </>
  )
}
