import { Box } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isolateBidi } from '@/lib/bidi'
import { Button } from '@/ui/Button'
import { DropOverlay } from '@/ui/FileDrop'
import { PlusIcon } from '@/ui/icons'
import { FramesIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { useFileDrop } from '@/ui/useFileDrop'
import { galleryQuery } from '../api'
import { useDeleteGalleryItem } from '../delete-item'
import { tileId } from '../model'
import { GalleryGrid, GallerySkeleton } from './GalleryGrid'
import { GalleryTile } from './GalleryTile'
import { GalleryUploadDialog } from './GalleryUploadDialog'
import { GalleryViewer } from './GalleryViewer'

/** Somebody's pictures and videos; `name` is what they are called. In one's own, they are added and deleted. */
export function Gallery({ userId, own, name }: { userId: string; own: boolean; name: string }) {
  // One's own may have changed in another tab, where nothing tells of it.
  const list = useInfiniteQuery({ ...galleryQuery(userId), refetchOnWindowFocus: own })
  const { mutate: remove } = useDeleteGalleryItem()
  const [openId, setOpenId] = useState<string | null>(null)
  // Files that were dropped on the gallery; null while nothing is being added.
  const [adding, setAdding] = useState<readonly File[] | null>(null)
  const { dragging, handlers } = useFileDrop(setAdding)
  const items = list.data?.pages.flatMap((page) => page.items)
  const isEmpty = items?.length === 0 && !list.hasNextPage
  const addButton = useRef<HTMLButtonElement>(null)
  const deletedLast = useRef(false)
  const onDelete = (item: GalleryItem) => {
    deletedLast.current = items?.length === 1
    remove(item)
  }
  // The focus went with the last one, where it was deleted here.
  useEffect(() => {
    if (!isEmpty || !deletedLast.current) return
    deletedLast.current = false
    const timer = setTimeout(() => addButton.current?.focus(), focusDelay)
    return () => clearTimeout(timer)
  }, [isEmpty])

  const add = (
    <Button ref={addButton} variant="ember" onClick={() => setAdding([])}>
      <PlusIcon /> Add media
    </Button>
  )
  return (
    <Card position="relative" {...(own && adding === null ? handlers : {})}>
      {own && items && !isEmpty && (
        <Box display="flex" justifyContent="flex-end" padding={{ base: '3', md: '4' }} paddingBottom="0">
          {add}
        </Box>
      )}
      {!items && list.isError && (
        <ErrorState
          title="The gallery did not load"
          message="Please try again in a moment."
          onRetry={() => void list.refetch()}
        />
      )}
      {!items && !list.isError && <GallerySkeleton />}
      {isEmpty && <Empty own={own} name={name} action={add} />}
      {items && items.length > 0 && (
        <GalleryGrid label={own ? 'Your gallery' : `Gallery of ${name}`}>
          {items.map((item) => (
            <GalleryTile
              key={item.id}
              item={item}
              by={name}
              onOpen={() => setOpenId(item.id)}
              onDelete={own ? () => deleteFromGrid(items, item, onDelete) : undefined}
            />
          ))}
        </GalleryGrid>
      )}
      {items && !isEmpty && (
        <LoadMore
          more={list.hasNextPage}
          failed={list.isFetchNextPageError}
          loading={list.isFetchingNextPage}
          onMore={list.fetchNextPage}
          label="Show more"
          failedLabel="More did not load. Try again"
        />
      )}
      {dragging && <DropOverlay>Drop to add to your gallery</DropOverlay>}
      {items && (
        <GalleryViewer
          items={items}
          more={list.hasNextPage}
          onNearEnd={() => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage())}
          openId={openId}
          onOpen={setOpenId}
          by={name}
          onDelete={own ? onDelete : undefined}
          otherFocus={() => addButton.current}
        />
      )}
      {own && adding && (
        <GalleryUploadDialog userId={userId} files={adding} onClose={() => setAdding(null)} />
      )}
    </Card>
  )
}

/** Milliseconds after which the menu or the viewer has given the focus back to what opened it. */
const focusDelay = 50

/** Deletes an item and has the focus where the next one moves up to, instead of nowhere. */
function deleteFromGrid(
  items: readonly GalleryItem[],
  item: GalleryItem,
  remove: (item: GalleryItem) => void,
): void {
  const at = items.indexOf(item)
  const next = items[at + 1] ?? items[at - 1]
  remove(item)
  if (next) setTimeout(() => document.getElementById(tileId(next.id))?.focus(), focusDelay)
}

function Empty({ own, name, action }: { own: boolean; name: string; action: React.ReactNode }) {
  return own ? (
    <EmptyState
      drawing={<FramesIllustration />}
      title="Your gallery is empty"
      text="Show your best pictures and videos here, up to 10MB each."
      action={action}
    />
  ) : (
    <EmptyState
      drawing={<FramesIllustration />}
      title="No media yet"
      text={`When ${isolateBidi(name)} adds pictures or videos, they show here.`}
    />
  )
}
