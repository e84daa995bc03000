import { Box, chakra } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isolateBidi } from '@/lib/text'
import { Button } from '@/ui/Button'
import { DropOverlay, useFileDrop } from '@/ui/FileDrop'
import { PlusIcon } from '@/ui/icons'
import { FramesIllustration } from '@/ui/illustrations'
import { Lightbox } from '@/ui/Lightbox'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { galleryQuery, useDeleteGalleryItem } from '../api'
import { tileId, toLightboxItem } from '../model'
import { GalleryTile } from './GalleryTile'
import { GalleryUploadDialog } from './GalleryUploadDialog'

/**
 * Shows a user's images and videos. Viewers can add and delete items in their own gallery. Set `key={userId}`, so that
 * another user's gallery starts with fresh state.
 *
 * @param own whether the gallery is the viewer's
 * @param name the owner's display name
 */
export function Gallery({ userId, own, name }: { userId: string; own: boolean; name: string }) {
  // The viewer may have changed their own gallery in another tab, and no event reports that.
  const list = useInfiniteQuery({ ...galleryQuery(userId), refetchOnWindowFocus: own })
  const { mutate: deleteItem } = useDeleteGalleryItem()
  const [openId, setOpenId] = useState<string | null>(null)
  // The files with which the upload dialog opens, or null while it is closed.
  const [droppedFiles, setDroppedFiles] = useState<readonly File[] | null>(null)
  const { dragging, handlers } = useFileDrop(setDroppedFiles)
  const items = list.data?.pages.flatMap((page) => page.items)
  const isEmpty = items?.length === 0 && !list.hasNextPage
  const addButtonRef = useRef<HTMLButtonElement>(null)
  const hasDeletedLastItem = useRef(false)
  const onDelete = (item: GalleryItem) => {
    hasDeletedLastItem.current = items?.length === 1
    deleteItem(item)
  }
  // After the viewer has deleted the last item, the focus cannot return to a tile, so it moves to the button.
  useEffect(() => {
    if (!isEmpty || !hasDeletedLastItem.current) return
    hasDeletedLastItem.current = false
    const timer = setTimeout(() => addButtonRef.current?.focus(), focusDelayMs)
    return () => clearTimeout(timer)
  }, [isEmpty])

  const addButton = (
    <Button ref={addButtonRef} variant="ember" onClick={() => setDroppedFiles([])}>
      <PlusIcon /> {t`Add media`}
    </Button>
  )
  return (
    <Card position="relative" {...(own && droppedFiles === null ? handlers : {})}>
      {own && items && !isEmpty && (
        <Box display="flex" justifyContent="flex-end" padding={{ base: '3', md: '4' }} paddingBottom="0">
          {addButton}
        </Box>
      )}
      {!items && list.isError && (
        <ErrorState message={t`Couldn't load the gallery. Try again.`} onRetry={() => void list.refetch()} />
      )}
      {!items && !list.isError && <GallerySkeleton />}
      {isEmpty && <EmptyGallery own={own} name={name} action={addButton} />}
      {items && items.length > 0 && (
        <GalleryGrid aria-label={own ? t`Your gallery` : t`Gallery of ${name}`}>
          {items.map((item) => (
            <GalleryTile
              key={item.id}
              item={item}
              ownerName={name}
              onOpen={() => setOpenId(item.id)}
              onDelete={own ? () => onDelete(item) : undefined}
            />
          ))}
        </GalleryGrid>
      )}
      {items && !isEmpty && (
        <LoadMore list={list} label={t`Show more`} failedLabel={t`Couldn't load more. Try again`} />
      )}
      {dragging && <DropOverlay>{t`Drop to add to your gallery`}</DropOverlay>}
      {items && (
        <Lightbox
          items={items.map((item) => toLightboxItem(item, name, own))}
          openId={openId}
          onOpen={setOpenId}
          hasMore={list.hasNextPage}
          onNearEnd={() => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage())}
          onDelete={own ? (id) => items.filter((item) => item.id === id).forEach(onDelete) : undefined}
          finalFocus={(id) => document.getElementById(tileId(id)) ?? addButtonRef.current}
        />
      )}
      {own && droppedFiles && (
        <GalleryUploadDialog userId={userId} files={droppedFiles} onClose={() => setDroppedFiles(null)} />
      )}
    </Card>
  )
}

/** Milliseconds within which a closing menu or lightbox returns the focus to the element that opened it. */
const focusDelayMs = 50

function EmptyGallery({ own, name, action }: { own: boolean; name: string; action: ReactNode }) {
  const isolatedName = isolateBidi(name)
  return own ? (
    <EmptyState
      illustration={<FramesIllustration />}
      title={t`Your gallery is empty`}
      text={t`Add your best photos and videos, up to 10MB each.`}
      action={action}
    />
  ) : (
    <EmptyState
      illustration={<FramesIllustration />}
      title={t`No media yet`}
      text={t`Photos and videos from ${isolatedName} will appear here.`}
    />
  )
}

const gridStyles = {
  display: 'grid',
  gridTemplateColumns: { base: 'repeat(3, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
  gap: { base: '0.5', md: '2' },
  paddingInline: { base: '0', md: '4' },
  paddingBlock: { base: '2', md: '4' },
  listStyleType: 'none',
} as const

const GalleryGrid = chakra('ul', { base: gridStyles })
const SkeletonGrid = chakra('div', { base: gridStyles })

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function GallerySkeleton() {
  return (
    <Loading label={t`Loading gallery`}>
      <SkeletonGrid aria-hidden>
        {skeletonKeys.map((key) => (
          <Skeleton
            key={key}
            height="auto"
            width="100%"
            aspectRatio="1"
            borderRadius={{ base: '0', md: 'md' }}
          />
        ))}
      </SkeletonGrid>
    </Loading>
  )
}
