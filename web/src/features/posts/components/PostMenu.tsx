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
import { useDeletePost } from '../api/delete-post'

const EditPostDialog = lazy(async () => ({
  default: (await import('./composer/EditPostDialog')).EditPostDialog,
}))

/** What anybody can do with a post beside its buttons, and what only its author can. */
export function PostMenu({ post, onDeleted }: { post: Post; onDeleted?: () => void }) {
  const [asking, setAsking] = useState(false)
  // Null until it was opened once: few people edit a post, and only their own.
  const [editing, setEditing] = useState<boolean | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const remove = useDeletePost(post.id)
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
              person: { id: post.userId, name: displayName(post.user) },
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
          <MenuItem value="delete" danger onSelect={() => setAsking(true)}>
            <TrashIcon /> Delete post
          </MenuItem>
        )}
      </Menu>
      {editing !== null && (
        <Suspense fallback={null}>
          <EditPostDialog
            post={post}
            open={editing}
            onClose={() => setEditing(false)}
            finalFocus={() => trigger.current}
          />
        </Suspense>
      )}
      {post.mine && (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={confirm}
          pending={remove.isPending}
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
