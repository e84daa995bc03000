import { Box, Dialog as Parts, Portal } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import {
  type ComponentProps,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { formatCount } from '@/lib/format'
import { Button } from './Button'
import { IconButton } from './IconButton'
import { ArrowLeftIcon, CloseIcon, DownloadIcon, TrashIcon, ZoomInIcon, ZoomOutIcon } from './icons'
import { type LightboxItem, LightboxStage } from './LightboxStage'
import { VisuallyHidden } from './layout'
import { lightboxAttribute, toastRegion } from './toaster'
import type { MediaGestures } from './useMediaGestures'

export type { LightboxItem }

/** The next page is loaded when at most this many items are left, including the open one. */
const preloadDistance = 3
/** Pixels by which an arrow key moves a zoomed image. */
const panStep = 80

type LightboxProps = {
  items: readonly LightboxItem[]
  /** The id of the item that is shown, or null if the lightbox is closed. */
  openId: string | null
  /** Called to show another item, or with null to close. */
  onOpen: (id: string | null) => void
  /** Whether there are items that are not loaded yet. */
  hasMore?: boolean
  onNearEnd?: () => void
  /** Called to delete the item `id`, after the lightbox has moved on to another item or has closed. */
  onDelete?: (id: string) => void
  /**
   * Returns the element to focus on close; the previously focused one if null or omitted. `id` is the id of the last
   * item shown.
   */
  finalFocus?: (id: string) => HTMLElement | null
}

/**
 * Shows images and videos, one at a time, in the full window. Pinch, double tap, wheel and a button zoom an image;
 * arrow keys, Home, End and swipes move to other items; Escape, a swipe down and a click beside the image close
 * the lightbox.
 */
export function Lightbox({
  items,
  openId,
  onOpen,
  hasMore = false,
  onNearEnd,
  onDelete,
  finalFocus,
}: LightboxProps) {
  const index = items.findIndex(({ id }) => id === openId)
  const item = items[index]
  // The item that was shown last stays visible during the closing animation.
  const [shown, setShown] = useState<{ items: readonly LightboxItem[]; index: number } | null>(null)
  if (item && (shown?.items !== items || shown.index !== index)) setShown({ items, index })
  const lastId = shown?.items[shown.index]?.id
  const nextButton = useRef<HTMLButtonElement>(null)
  const gestures = useRef<MediaGestures>(null)

  const isNearEnd = item !== undefined && hasMore && index >= items.length - preloadDistance
  const reportNearEnd = useEffectEvent(() => onNearEnd?.())
  useEffect(() => {
    if (isNearEnd) reportNearEnd()
  }, [isNearEnd])
  // Closes the lightbox if the open item was deleted elsewhere.
  useEffect(() => {
    if (openId && !item) onOpen(null)
  }, [openId, item, onOpen])

  const goTo = (targetIndex: number) => {
    const target = items[Math.min(Math.max(targetIndex, 0), items.length - 1)]
    if (target) onOpen(target.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The video player uses the arrow keys itself.
    if (event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return
    const [dx, dy] = panDirections[event.key] ?? [0, 0]
    if ((dx || dy) && gestures.current?.pan(dx * panStep, dy * panStep)) return event.preventDefault()
    const targetIndex = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: items.length - 1 }[
      event.key
    ]
    if (targetIndex === undefined) return
    event.preventDefault()
    goTo(targetIndex)
  }
  const deleteItem = () => {
    if (!item) return
    onOpen((items[index + 1] ?? items[index - 1])?.id ?? null)
    onDelete?.(item.id)
  }
  return (
    <Parts.Root
      persistentElements={[toastRegion]}
      open={item !== undefined}
      onOpenChange={(details) => !details.open && onOpen(null)}
      aria-label={(item ?? shown?.items[shown.index])?.label}
      initialFocusEl={() => nextButton.current}
      finalFocusEl={() => (lastId === undefined ? null : (finalFocus?.(lastId) ?? null))}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Parts.Backdrop bg="stage.bg" />
        <Parts.Positioner padding="0">
          <Parts.Content
            width="100%"
            height="100dvh"
            maxWidth="none"
            maxHeight="none"
            bg="stage.bg"
            color="stage.text"
            borderWidth="0"
            borderRadius="0"
            boxShadow="none"
            paddingTop="env(safe-area-inset-top)"
            {...lightboxAttribute}
            onKeyDown={onKeyDown}
          >
            {shown && (
              <View
                items={shown.items}
                index={shown.index}
                hasMore={hasMore}
                onGoTo={goTo}
                onClose={() => onOpen(null)}
                onDelete={onDelete && deleteItem}
                nextButton={nextButton}
                gestures={gestures}
              />
            )}
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** The direction in which an arrow key moves a zoomed image. The left arrow moves it right, to show its left side. */
const panDirections: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/** Mounted within the open dialog, so that the stage exists when `useMediaGestures` adds its event listeners. */
function View({
  items,
  index,
  hasMore,
  onGoTo,
  onClose,
  onDelete,
  nextButton,
  gestures,
}: {
  items: readonly LightboxItem[]
  index: number
  hasMore: boolean
  onGoTo: (index: number) => void
  onClose: () => void
  onDelete: (() => void) | undefined
  nextButton: RefObject<HTMLButtonElement | null>
  gestures: RefObject<MediaGestures | null>
}) {
  const [isZoomed, setZoomed] = useState(false)
  const item = items[index]
  const hasPrevious = index > 0
  const hasNext = index < items.length - 1
  if (!item) return null
  const position = formatCount(index + 1)
  const count = formatCount(items.length)
  const positionText = hasMore ? t`${position} of ${count}+` : t`${position} of ${count}`
  // If items can be deleted, the buttons must not move when only one item is left.
  const hasSeveral = items.length > 1 || hasMore || onDelete !== undefined
  return (
    <>
      <Box display="flex" alignItems="center" gap={{ base: '0', sm: '1' }} padding="2" flexShrink={0}>
        {hasSeveral && (
          <Box textStyle="label" paddingInlineStart="2" fontVariantNumeric="tabular-nums">
            <span aria-hidden>{positionText}</span>
            <VisuallyHidden role="status">{`${positionText}. ${item.label}`}</VisuallyHidden>
          </Box>
        )}
        <Box marginInlineStart="auto" />
        {hasSeveral && (
          <>
            <ArrowButton label={t`Previous`} disabled={!hasPrevious} onClick={() => onGoTo(index - 1)} />
            <ArrowButton
              ref={nextButton}
              label={t`Next`}
              forward
              disabled={!hasNext}
              onClick={() => onGoTo(index + 1)}
            />
          </>
        )}
        {item.kind === 'image' && (
          <StageButton
            label={isZoomed ? t`Zoom out` : t`Zoom in`}
            hideBelow="sm"
            onClick={() => gestures.current?.toggleZoom()}
          >
            {isZoomed ? <ZoomOutIcon /> : <ZoomInIcon />}
          </StageButton>
        )}
        {item.canDownload && (
          <Button asChild size="icon" variant="ghost" {...stageButtonStyle}>
            <a href={item.url} download aria-label={t`Download`}>
              <DownloadIcon />
            </a>
          </Button>
        )}
        {onDelete && (
          <StageButton label={t`Delete`} onClick={onDelete}>
            <TrashIcon />
          </StageButton>
        )}
        <StageButton label={t`Close`} onClick={onClose}>
          <CloseIcon />
        </StageButton>
      </Box>
      <LightboxStage
        items={items}
        index={index}
        gestures={gestures}
        isZoomed={isZoomed}
        onZoomChange={setZoomed}
        onGoTo={onGoTo}
        onClose={onClose}
      />
    </>
  )
}

const stageButtonStyle = {
  color: 'stage.text',
  css: { '&:hover:not(:disabled)': { bg: 'stage.darkest' } },
} as const

/** A button on the lightbox's background, which is dark in both color modes. */
function StageButton(props: ComponentProps<typeof IconButton>) {
  return <IconButton tooltip={false} {...stageButtonStyle} {...props} />
}

function ArrowButton({
  ref,
  label,
  forward = false,
  disabled,
  onClick,
}: {
  ref?: Ref<HTMLButtonElement>
  label: string
  forward?: boolean
  disabled: boolean
  onClick: () => void
}) {
  return (
    <StageButton
      ref={ref}
      label={label}
      // On phones, buttons over the item would cover a video's controls.
      position={{ base: 'static', md: 'absolute' }}
      top="calc(50% - {sizes.target} / 2)"
      zIndex="raised"
      bg={{ md: 'stage.darkest' }}
      insetStart={forward ? undefined : '3'}
      insetEnd={forward ? '3' : undefined}
      // Not `disabled`: if the button lost focus, the lightbox would no longer receive key events.
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
    >
      <Box as="span" display="grid" transform={forward ? 'scaleX(-1)' : undefined}>
        <ArrowLeftIcon />
      </Box>
    </StageButton>
  )
}
