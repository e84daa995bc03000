import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { create } from 'zustand'
import { fieldsOf } from '@/lib/json'
import { isPageExiting } from '@/lib/leave-guard'
import { Button } from './Button'
import { CloseIcon } from './icons'

export type Toast = {
  title: string
  description?: string
  /** A `destructive` toast interrupts screen readers and has a red edge. */
  tone?: 'default' | 'destructive'
  /** Shown as a button; pressing it also closes the toast. */
  action?: { label: string; run: () => void }
}

/**
 * How long a toast is visible, without and with an action. The time restarts when the pointer or focus leaves the
 * toast.
 */
const visibleMs = 6000
const visibleWithActionMs = 10_000

const useToasts = create<{ current: (Toast & { id: number }) | null }>(() => ({ current: null }))
let lastId = 0

/** Shows a toast, replacing the current one. Does nothing while the app is leaving the page (`startPageExit`). */
export function toast(next: Toast): void {
  if (isPageExiting()) return
  lastId += 1
  useToasts.setState({ current: { ...next, id: lastId } })
}

/** Shows that a part of the app could not be loaded, for example because the browser is offline. */
export function showLoadError(): void {
  toast({
    title: t`Couldn't load this`,
    description: t`Check your connection and try again.`,
    tone: 'destructive',
  })
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

/** Returns the element that contains the toasts. A press in it must not count as a press outside an open dialog. */
export const toastRegion = () => document.getElementById(regionId)

// Selectors for the cases in which toasts move elsewhere, so that they cover no controls.

/** On phones, an open dialog is at the lower edge, with its buttons: toasts go above it. */
const withDialog = 'body:has([data-scope=dialog][data-part=content][data-state=open]:not([data-lightbox])) &'

/** A lightbox image fills the window and has its buttons at the top: toasts go to the lower edge. */
const withLightbox = 'body:has([data-lightbox][data-state=open]) &'

/** A lightbox video also has controls at the bottom: toasts go below the buttons at the top. */
const withLightboxVideo = 'body:has([data-lightbox][data-state=open] video) &'

/**
 * The screen ends in a composer (`bottomComposerAttribute`): toasts go to the top, below the page headers. On phones,
 * the shell's bars are hidden.
 */
export const withComposer = 'body:has([data-composer-below]) &'

/** The distance of notices from the top of a screen that ends in a composer or a bar. */
export const belowComposerHeader = {
  base: 'calc({spacing.16} + {spacing.2} + env(safe-area-inset-top))',
  md: 'calc({sizes.header} + {spacing.5} + {spacing.16} + {spacing.4})',
}

/** On phones, a comment form can be docked in place of the bottom bar: toasts go below the page header. */
export const withCommentDock = 'body:has([data-comment-dock]) &'

/**
 * A bar with buttons is at the lower edge or, on a short page, above it (`bottomBarAttribute`): toasts go to the top,
 * below the page header.
 */
const withBottomBar = 'body:has([data-bar-below]) &'

/** Marks a bar that sticks to the lower edge. */
export const bottomBarAttribute = { 'data-bar-below': '' }

/** Marks a comment form that is docked at the lower edge of the screen, which happens only on phones. */
export const commentDockAttribute = { 'data-comment-dock': '' }

/** The CSS variable with the height of that form. */
export const commentDockHeight = '--comment-dock-height'

/** Marks a screen that ends in a composer near the lower edge. */
export const bottomComposerAttribute = { 'data-composer-below': '' }

/** Marks a dialog that shows one image or video at full size. */
export const lightboxAttribute = { 'data-lightbox': '' }

/**
 * Shows the current toast. Mounted once, beside the router. It is rendered into the body, above every dialog. Without
 * `data-live-announcer`, an open dialog would hide it from screen readers.
 */
export function Toaster() {
  const current = useToasts((state) => state.current)
  // By id: a toast that is replaced while the pointer is on it must not pause the next one.
  const [pausedId, setPausedId] = useState<number | null>(null)
  const isPaused = current !== null && pausedId === current.id

  useEffect(() => {
    if (!current || isPaused) return
    const timer = setTimeout(dismiss, current.action ? visibleWithActionMs : visibleMs)
    return () => clearTimeout(timer)
  }, [current, isPaused])

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
        [`${withBottomBar}, ${withComposer}`]: {
          top: belowComposerHeader,
          bottom: 'auto',
        },
        [withCommentDock]: {
          top: { base: belowComposerHeader.base, md: 'auto' },
          bottom: { base: 'auto', md: '6' },
        },
        [withLightbox]: {
          top: 'auto',
          bottom: { base: 'calc({spacing.3} + env(safe-area-inset-bottom))', md: '6' },
        },
        [withLightboxVideo]: {
          top: {
            base: 'calc({sizes.target} + {spacing.8})',
            md: 'calc({sizes.target} + {spacing.8} + {spacing.3})',
          },
          bottom: 'auto',
        },
        [withDialog]: {
          top: { base: 'calc({spacing.2} + env(safe-area-inset-top))', md: 'auto' },
          bottom: { base: 'auto', md: '6' },
        },
      }}
      width={{ md: '24rem' }}
      pointerEvents="none"
    >
      {/* Both live regions are always in the page: screen readers skip one that is added together with its text. */}
      <div role="status" aria-live="polite">
        {current && !destructive && <ToastCard toast={current} onPause={setPausedId} />}
      </div>
      <div role="alert" aria-live="assertive">
        {current && destructive && <ToastCard toast={current} onPause={setPausedId} />}
      </div>
    </Box>,
    document.body,
  )
}

function ToastCard({
  toast: { id, title, description, tone, action },
  onPause,
}: {
  toast: Toast & { id: number }
  /** Called with the toast's id when the pointer or focus enters the toast, and with null when either leaves. */
  onPause: (id: number | null) => void
}) {
  return (
    <Box
      key={id}
      display="flex"
      alignItems="flex-start"
      gap="3"
      padding="4"
      bg="raised"
      borderWidth="1px"
      borderInlineStartWidth="4px"
      borderInlineStartColor={tone === 'destructive' ? 'danger.solid' : 'ember.ring'}
      borderRadius="md"
      boxShadow="high"
      pointerEvents="auto"
      animation="appear 160ms {easings.out}"
      onPointerEnter={() => onPause(id)}
      onPointerLeave={() => onPause(null)}
      onFocus={() => onPause(id)}
      onBlur={() => onPause(null)}
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">{title}</Box>
        {description && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {description}
          </Box>
        )}
      </Box>
      {action && <ActionButton {...action} />}
      <Close type="button" aria-label={t`Dismiss`} onClick={dismiss}>
        <CloseIcon />
      </Close>
    </Box>
  )
}

function ActionButton({ label, run }: NonNullable<Toast['action']>) {
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

/** `public/boot.js` reads this key too. */
export const flashToastKey = 'ovation:flash-toast'

/** Stores a toast for the next page that this tab loads, because a toast shown now would disappear with the page. */
export function setFlashToast(next: { title: string; description: string }): void {
  try {
    sessionStorage.setItem(flashToastKey, JSON.stringify(next))
  } catch {
    // Storage is unavailable: the next page shows no toast.
  }
}

/** Shows the toast that the previous page stored, once. */
export function showFlashToast(): void {
  try {
    const stored = sessionStorage.getItem(flashToastKey)
    if (stored === null) return
    sessionStorage.removeItem(flashToastKey)
    const { title, description } = fieldsOf(JSON.parse(stored))
    if (typeof title !== 'string' || typeof description !== 'string') return
    toast({ title, description })
  } catch {
    // Storage is unavailable, or the stored value is invalid.
  }
}
