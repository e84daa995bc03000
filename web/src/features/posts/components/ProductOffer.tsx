import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import type { Product } from '@contract/product.ts'
import type { ReactNode } from 'react'
import { dollars } from '@/lib/format'
import { ButtonLink } from '@/ui/Button'
import { ExternalLinkIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { userTextLine } from '@/ui/user-text-styles'
import { PostMedia } from './PostMedia'

/** What a post offers in a store elsewhere, and the way there. `children` is the description. */
export function ProductOffer({
  post,
  product,
  children,
}: {
  post: Post
  product: Product
  children: ReactNode
}) {
  return (
    <Box
      role="group"
      aria-label={`Product: ${product.name}`}
      marginTop="2.5"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      // Its picture reaches to the edges.
      css={{
        '& > [data-frame]': { marginTop: '0', borderWidth: '0', borderBottomWidth: '1px', borderRadius: '0' },
      }}
    >
      <PostMedia post={post} />
      <Box padding="4">
        {product.category && (
          <Box textStyle="caption" color="muted" marginBottom="1" overflowWrap="anywhere" {...userTextLine}>
            {product.category}
          </Box>
        )}
        <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4">
          <Box textStyle="title" minWidth="0" overflowWrap="anywhere" {...userTextLine}>
            {product.name}
          </Box>
          <Box textStyle="title" fontVariantNumeric="tabular-nums" flexShrink={0}>
            {dollars(product.price)}
          </Box>
        </Box>
        {children}
        <StoreLink url={product.storeUrl} />
      </Box>
    </Box>
  )
}

/** Says where it leads before anybody follows. Nothing where the address is none of the web. */
function StoreLink({ url }: { url: string }) {
  const host = hostOf(url)
  if (!host) return null
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1" marginTop="4">
      <ButtonLink to={url} target="_blank" rel="noopener noreferrer nofollow ugc" variant="outline">
        Visit Store
        <ExternalLinkIcon />
        <VisuallyHidden>at {host}, opens in a new tab</VisuallyHidden>
      </ButtonLink>
      <Box
        textStyle="small"
        color="muted"
        minWidth="0"
        overflowWrap="anywhere"
        unicodeBidi="isolate"
        aria-hidden
      >
        {host}
      </Box>
    </Box>
  )
}

function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? host : null
}
