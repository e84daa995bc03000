import { chakra } from '@chakra-ui/react'
import { useState } from 'react'
import { usePublicFileUrl } from '@/lib/config'
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
      /** For a line of overlapping avatars. */
      face: { width: '7', height: '7', fontSize: '0.6875rem' },
      sm: { width: '8', height: '8', fontSize: 'xs' },
      md: { width: '11', height: '11', fontSize: 'md' },
      lg: { width: '16', height: '16', fontSize: 'xl' },
      xl: { width: { base: '20', md: '7rem' }, height: { base: '20', md: '7rem' }, fontSize: '3xl' },
    },
    /**
     * The ring around a creator's avatar, with a gap. It counts toward the avatar's size, so that all avatars align.
     */
    ring: {
      true: {
        borderWidth: '1.5px',
        borderColor: 'ember.ring',
        padding: '2px',
        backgroundClip: 'content-box',
      },
    },
  },
  defaultVariants: { size: 'md' },
})

const Image = chakra('img', {
  base: { width: '100%', height: '100%', objectFit: 'cover', borderRadius: 'full' },
})

type AvatarUser = { displayName: string; profileImageUrl: string | null; isCreator?: boolean }

/**
 * Shows a user's profile image, or their initials. Decorative by default, because the name is usually beside it; pass
 * `label` where it is not.
 */
export function Avatar({
  user,
  size = 'md',
  label,
}: {
  user: AvatarUser
  size?: 'xs' | 'face' | 'sm' | 'md' | 'lg' | 'xl'
  label?: string
}) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const url = usePublicFileUrl(user.profileImageUrl)
  const nameProps = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <Frame size={size} ring={user.isCreator ? true : undefined} {...nameProps}>
      {url && failedUrl !== url ? (
        <Image src={url} alt="" loading="lazy" decoding="async" onError={() => setFailedUrl(url)} />
      ) : (
        initials(user.displayName)
      )}
    </Frame>
  )
}
