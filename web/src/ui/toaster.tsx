import { Box, chakra } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { create } from 'zustand'
import { isPageExiting } from '@/lib/page-exit'
import { Button } from './Button'
import { CloseIcon } from './icons'

export type Toast = {
  title: string
  description?: string
  /** `destructive` is announced at once and marked in red. */
  tone?: 'default' | 'destructive'
  /** What can be done about it; the toast goes with the press. */
  action?: { label: string; run: () => void }
}

/** Milliseconds a toast stays, counted only while nobody points at it or has focus in it. */
const visibleFor = 6000

const useToasts = create<{ current: (Toast & { id: number }) | null }>(() => ({ current: null }))
let lastId = 0

/** Shows a toast in place of the one before: at most one is visible. None once the page is on its way out. */
export function toast(next: Toast): void {
  if (isPageExiting()) return
  lastId += 1
  useToasts.setState({ current: { ...next, id: lastId } })
}

function dismiss() {
  useToasts.setState({ current: null })
}

const Close = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    margin: '-2',
    marginInlineStart: 'auto',
    flexShrink: 0,
    borderRadius: 'sm',
    color: 'muted',
    cursor: 'pointer',
    _hover: { color: 'text' },
  },
})

const regionId = 'toasts'

/** Where toasts stand: a press there is none beside the dialog that is open. */
export const toastRegion = () => document.getElementById(regionId)

/** On a phone an open dialog stands at the lower edge, with its buttons: what it says is read above it. */
const besideSheet = 'body:has([data-scope=dialog][data-part=content][data-state=open]:not([data-lightbox])) &'

/** A picture fills the window and has its buttons above it: what is said is read below, at the very edge. */
const besidePicture = 'body:has([data-lightbox][data-state=open]) &'

/** A video has buttons below as well, so the toast stands between the two. */
const besideVideo = 'body:has([data-lightbox][data-state=open] video) &'

/** The screen ends in a box to write in: `composerBelow` marks it. The heads of the page stay free, too. */
const besideComposer = 'body:has([data-composer-below]) &'

/** A bar with buttons stands at the lower edge: `barBelow` marks it. What it says is read above it. */
const besideBar = 'body:has([data-bar-below]) &'

/** The attribute of a bar that stays at the lower edge. */
export const bottomBarAttribute = { 'data-bar-below': '' }

/** The attribute of what ends in a box to write in, near the lower edge. */
export const bottomComposerAttribute = { 'data-composer-below': '' }

/** The attribute of a dialog that shows one picture or video, as large as the window allows. */
export const lightboxAttribute = { 'data-lightbox': '' }

/**
 * The one place where toasts appear. Mounted once, beside the router. It hangs in the body, above every dialog, and is
 * marked as one that speaks: a dialog takes from screen readers whatever else is beside it.
 */
export function Toaster() {
  const current = useToasts((state) => state.current)
  // By id: a toast that goes while somebody points at it must not hold the next one.
  const [heldId, setHeldId] = useState<number | null>(null)
  const held = current !== null && heldId === current.id

  useEffect(() => {
    if (!current || held) return
    const timer = setTimeout(dismiss, visibleFor)
    return () => clearTimeout(timer)
  }, [current, held])

  const destructive = current?.tone === 'destructive'
  return createPortal(
    <Box
      id={regionId}
      data-live-announcer
      position="fixed"
      zIndex="toast"
      insetInline={{ base: '3', md: 'auto' }}
      insetEnd={{ md: '6' }}
      bottom={{ base: 'calc(4.5rem + env(safe-area-inset-bottom))', md: '6' }}
      css={{
        [besideBar]: {
          bottom: { base: 'calc({sizes.bottomBar} + 6rem + env(safe-area-inset-bottom))', md: '24' },
        },
        [besideComposer]: {
          top: {
            base: 'calc({sizes.header} + {spacing.16} + {spacing.2} + env(safe-area-inset-top))',
            md: 'calc({sizes.header} + {spacing.5} + {spacing.16} + {spacing.4})',
          },
          bottom: 'auto',
        },
        [besidePicture]: {
          top: 'auto',
          bottom: { base: 'calc({spacing.3} + env(safe-area-inset-bottom))', md: '6' },
        },
        [besideVideo]: {
          top: {
            base: 'calc({sizes.target} + {spacing.8})',
            md: 'calc({sizes.target} + {spacing.8} + {spacing.3})',
          },
          bottom: 'auto',
        },
        [besideSheet]: {
          top: { base: 'calc({spacing.2} + env(safe-area-inset-top))', md: 'auto' },
          bottom: { base: 'auto', md: '6' },
        },
      }}
      width={{ md: '24rem' }}
      pointerEvents="none"
    >
      {/* Both live regions stay in the page: one that arrives together with its text is not read out. */}
      <div role="status" aria-live="polite">
        {current && !destructive && <Card toast={current} onHold={setHeldId} />}
      </div>
      <div role="alert" aria-live="assertive">
        {current && destructive && <Card toast={current} onHold={setHeldId} />}
      </div>
    </Box>,
    document.body,
  )
}

function Card({
  toast: shown,
  onHold,
}: {
  toast: Toast & { id: number }
  onHold: (id: number | null) => void
}) {
  return (
    <Box
      key={shown.id}
      display="flex"
      alignItems="flex-start"
      gap="3"
      padding="4"
      bg="raised"
      borderWidth="1px"
      borderInlineStartWidth="4px"
      borderInlineStartColor={shown.tone === 'destructive' ? 'danger.solid' : 'ember.ring'}
      borderRadius="md"
      boxShadow="high"
      pointerEvents="auto"
      animation="appear 160ms {easings.out}"
      onPointerEnter={() => onHold(shown.id)}
      onPointerLeave={() => onHold(null)}
      onFocus={() => onHold(shown.id)}
      onBlur={() => onHold(null)}
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">{shown.title}</Box>
        {shown.description && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {shown.description}
          </Box>
        )}
      </Box>
      {shown.action && <Action {...shown.action} />}
      <Close type="button" aria-label="Dismiss" onClick={dismiss}>
        <CloseIcon />
      </Close>
    </Box>
  )
}

function Action({ label, run }: NonNullable<Toast['action']>) {
  const press = () => {
    dismiss()
    run()
  }
  return (
    <Button
      variant="link"
      size="icon"
      width="auto"
      marginBlock="-2"
      marginInlineStart="auto"
      fontSize="md"
      onClick={press}
    >
      {label}
    </Button>
  )
}
