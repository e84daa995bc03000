import { chakra } from '@chakra-ui/react'
import { useState } from 'react'
import { usePublicFileUrl } from '@/lib/public-file'
import { initials } from '@/lib/text'

const Frame = chakra('span', {
  base: {
    position: 'relative',
    display: 'inline-grid',
    placeItems: 'center',
    flexShrink: 0,
    overflow: 'hidden',
    borderRadius: 'full',
    bg: 'pressed',
    color: 'muted',
    fontWeight: 'semibold',
    userSelect: 'none',
  },
  variants: {
    size: {
      xs: { width: '6', height: '6', fontSize: '0.6875rem' },
      sm: { width: '8', height: '8', fontSize: 'xs' },
      md: { width: '11', height: '11', fontSize: 'md' },
      lg: { width: '16', height: '16', fontSize: 'xl' },
      xl: { width: '7rem', height: '7rem', fontSize: '3xl' },
    },
    /** The thin ember ring of a creator, with a gap in the page's colour. */
    ring: {
      true: {
        overflow: 'visible',
        outline: '2px solid',
        outlineColor: 'ember.ring',
        outlineOffset: '2px',
      },
    },
  },
  defaultVariants: { size: 'md' },
})

const Picture = chakra('img', {
  base: { width: '100%', height: '100%', objectFit: 'cover', borderRadius: 'full' },
})

export type AvatarUser = { displayName: string; profileImageUrl: string | null; isCreator?: boolean }

/**
 * A person's picture, else their initials. Decorative by default (the name stands beside it); pass `label` where it
 * stands alone.
 */
export function Avatar({
  person,
  size = 'md',
  label,
}: {
  person: AvatarUser
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl'
  label?: string
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const url = usePublicFileUrl(person.profileImageUrl)
  const named = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <Frame size={size} ring={person.isCreator ? true : undefined} {...named}>
      {url && broken !== url ? (
        <Picture src={url} alt="" loading="lazy" decoding="async" onError={() => setBroken(url)} />
      ) : (
        initials(person.displayName)
      )}
    </Frame>
  )
}
