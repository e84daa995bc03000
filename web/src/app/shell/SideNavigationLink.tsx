import { Box, chakra } from '@chakra-ui/react'
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { NavLink } from 'react-router-dom'
import { LockIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'
import { useMinWidth } from '@/ui/useMinWidth'
import type { NavigationLink } from './navigation-links'

/** Where the whole navigation fits only with less air, and nobody needs a finger's room. */
export const shortViewport = '@media (max-height: 760px) and (pointer: fine)'

const Item = chakra(NavLink, {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    justifyContent: { base: 'center', xl: 'flex-start' },
    gap: '4',
    minHeight: 'target',
    [shortViewport]: { minHeight: '9' },
    flexShrink: 0,
    paddingInline: { base: '0', xl: '4' },
    borderRadius: 'full',
    color: 'muted',
    fontSize: 'lg',
    fontWeight: 'medium',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '& > svg': { fontSize: '2xl' },
    _hover: { bg: 'hover', color: 'text' },
    '&[aria-current=page]': { color: 'text', fontWeight: 'semibold', '& > svg': { color: 'ember.text' } },
  },
})

/** Labels stand beside the icons from 1200 px; below, they are read out and shown as tooltips. */
export const SideNavigationLabel = chakra('span', { base: { srOnly: { base: true, xl: false } } })

/** Milliseconds that a touched lock says why it is locked, and in which a second touch goes there all the same. */
const toldFor = 4_000

/** One link of the side navigation. A locked one says by hover, focus and touch what it takes. */
export function SideNavigationLink({ link }: { link: NavigationLink }) {
  const labelled = useMinWidth('xl')
  const reason = useReason(link.locked !== undefined)
  return (
    <Tooltip
      label={link.locked ?? link.label}
      side="right"
      disabled={labelled && !link.locked}
      open={reason.open}
      onOpenChange={reason.setOpen}
    >
      <Item to={link.to} end={link.end} aria-description={link.locked} {...reason.touch}>
        <link.icon />
        <SideNavigationLabel>{link.label}</SideNavigationLabel>
        {link.locked && <Lock />}
      </Item>
    </Tooltip>
  )
}

function Lock() {
  return (
    <Box
      as="span"
      color="gold.text"
      fontSize={{ base: 'sm', xl: 'lg' }}
      position={{ base: 'absolute', xl: 'static' }}
      insetEnd={{ base: '2.5' }}
      bottom={{ base: '1.5' }}
      marginInlineStart={{ xl: 'auto' }}
      borderRadius="full"
      bg={{ base: 'bg', xl: 'transparent' }}
    >
      <LockIcon />
    </Box>
  )
}

/** A finger cannot hover: its first touch of something locked shows the reason, the next one goes there. */
function useReason(locked: boolean) {
  const [open, setOpen] = useState(false)
  const touched = useRef(false)
  const told = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(told.current), [])
  const onPointerDown = (event: PointerEvent) => {
    touched.current = event.pointerType === 'touch'
  }
  const onClick = (event: MouseEvent) => {
    // A press of Enter is no touch, even where the last pointer here was a finger.
    const byTouch = touched.current && event.detail > 0
    touched.current = false
    if (!locked || !byTouch || told.current) return
    event.preventDefault()
    setOpen(true)
    told.current = setTimeout(() => {
      told.current = undefined
      setOpen(false)
    }, toldFor)
  }
  return { open, setOpen, touch: { onPointerDown, onClick } }
}
