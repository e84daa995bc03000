import { Box } from '@chakra-ui/react'
import { parseUrl } from '@contract/parse-url.ts'
import type { Post } from '@contract/post.ts'
import type { Product } from '@contract/product.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { dollars } from '@/lib/format'
import { ButtonLink } from '@/ui/Button'
import { ExternalLinkIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { userTextLine } from '@/ui/UserText'
import { PostMedia } from '../PostMedia'

/** Shows the product of a post with a link to its external store. `children` is the description. */
export function ProductOffer({
  post,
  product,
  children,
}: {
  post: Post
  product: Product
  children: ReactNode
}) {
  const { name } = product
  return (
    <Box
      role="group"
      aria-label={t`Product: ${name}`}
      marginTop="2.5"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      // At every screen width, the image fills this box from edge to edge.
      css={{
        '& > [data-frame]': {
          marginTop: '0',
          marginInline: '0',
          width: '100%',
          borderWidth: '0',
          borderBottomWidth: '1px',
          borderRadius: '0',
        },
      }}
    >
      <PostMedia post={post} isWhole />
      <Box padding="4">
        {product.category && (
          <Box textStyle="caption" color="muted" marginBottom="1" overflowWrap="anywhere" {...userTextLine}>
            {product.category}
          </Box>
        )}
        <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4">
          <Box textStyle="title" minWidth="0" overflowWrap="anywhere" {...userTextLine}>
            {name}
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

/** Shows a link to the store with the store's host, so that users see where it leads. Hidden if the URL is invalid. */
function StoreLink({ url }: { url: string }) {
  const host = storeHost(url)
  if (!host) return null
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1" marginTop="4">
      <ButtonLink to={url} target="_blank" rel="noopener noreferrer nofollow ugc" variant="outline">
        <Trans>Visit store</Trans>
        <ExternalLinkIcon />
        <VisuallyHidden>
          <Trans>{host}, opens in a new tab</Trans>
        </VisuallyHidden>
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

function storeHost(storeUrl: string): string | null {
  const url = parseUrl(storeUrl)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.host : null
}
