import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Loading, Skeleton } from '@/ui/Skeleton'

const grid = {
  display: 'grid',
  gridTemplateColumns: { base: 'repeat(3, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
  gap: { base: '0.5', md: '2' },
  paddingInline: { base: '0', md: '4' },
  paddingBlock: { base: '2', md: '4' },
  listStyleType: 'none',
} as const

const List = chakra('ul', { base: grid })
const Shapes = chakra('div', { base: grid })

/** Tiles side by side: three in a row on a phone, four where there is room. */
export function GalleryGrid({ label, children }: { label: string; children: ReactNode }) {
  return <List aria-label={label}>{children}</List>
}

const shapes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** What stands in the tiles' places until they come. */
export function GallerySkeleton() {
  return (
    <Loading label="Loading the gallery">
      <Shapes aria-hidden>
        {shapes.map((shape) => (
          <Skeleton
            key={shape}
            height="auto"
            width="100%"
            aspectRatio="1"
            borderRadius={{ base: '0', md: 'md' }}
          />
        ))}
      </Shapes>
    </Loading>
  )
}
