import { Box } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isolated } from '@/lib/bidi'
import { Button } from '@/ui/Button'
import { DropMark } from '@/ui/DropMark'
import { FramesDrawing } from '@/ui/drawings'
import { PlusIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { MoreMark } from '@/ui/MoreMark'
import { EmptyState, ErrorState } from '@/ui/states'
import { useFilesDrop } from '@/ui/useFilesDrop'
import { useDeleteItem } from '../api/delete'
import { galleryQuery } from '../api/gallery'
import { tileId } from '../words'
import { Grid, TileSkeletons } from './Grid'
import { Tile } from './Tile'
import { UploadDialog } from './UploadDialog'
import { Viewer } from './Viewer'

/** Somebody's pictures and videos; `name` is what they are called. In one's own, they are added and deleted. */
export function Gallery({ userId, own, name }: { userId: string; own: boolean; name: string }) {
  // One's own may have changed in another tab, where nothing tells of it.
  const list = useInfiniteQuery({ ...galleryQuery(userId), refetchOnWindowFocus: own })
  const { mutate: remove } = useDeleteItem()
  const [openId, setOpenId] = useState<string | null>(null)
  // Files that were dropped on the gallery; null while nothing is being added.
  const [adding, setAdding] = useState<readonly File[] | null>(null)
  const { dragging, handlers } = useFilesDrop(setAdding)
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
      {!items && !list.isError && <TileSkeletons />}
      {isEmpty && <Empty own={own} name={name} action={add} />}
      {items && items.length > 0 && (
        <Grid label={own ? 'Your gallery' : `Gallery of ${name}`}>
          {items.map((item) => (
            <Tile
              key={item.id}
              item={item}
              by={name}
              onOpen={() => setOpenId(item.id)}
              onDelete={own ? () => deleteFromGrid(items, item, onDelete) : undefined}
            />
          ))}
        </Grid>
      )}
      {items && !isEmpty && (
        <MoreMark
          more={list.hasNextPage}
          failed={list.isFetchNextPageError}
          loading={list.isFetchingNextPage}
          onMore={list.fetchNextPage}
          label="Show more"
          failedLabel="More did not load. Try again"
        />
      )}
      {dragging && <DropMark>Drop to add to your gallery</DropMark>}
      {items && (
        <Viewer
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
      {own && adding && <UploadDialog userId={userId} files={adding} onClose={() => setAdding(null)} />}
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
      drawing={<FramesDrawing />}
      title="Your gallery is empty"
      text="Show your best pictures and videos here, up to 10MB each."
      action={action}
    />
  ) : (
    <EmptyState
      drawing={<FramesDrawing />}
      title="No media yet"
      text={`When ${isolated(name)} adds pictures or videos, they show here.`}
    />
  )
}
