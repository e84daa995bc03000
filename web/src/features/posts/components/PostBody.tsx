import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import type { Product } from '@contract/product.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { ExternalLinkIcon } from '@/ui/icons'
import { TextLink, VisuallyHidden } from '@/ui/layout'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'
import { extractTikToks } from '../model'
import { PostMedia } from './PostMedia'
import { PremiumLock } from './PremiumLock'
import { TikTokPlayer } from './TikTokPlayer'

/** Shows the content of a post or, while the post is locked, its teaser and the lock. */
export function PostBody({ post, large }: { post: Post; large: boolean }) {
  const { text, videos } = extractTikToks(post.content)
  const postText = text && (
    <PostText text={text} postId={post.id} large={large} isLead={large && !post.product} />
  )
  const content = (
    <>
      {post.product ? (
        <ProductOffer post={post} product={post.product}>
          {postText}
        </ProductOffer>
      ) : (
        <>
          {postText}
          <PostMedia post={post} />
        </>
      )}
      {videos.map((video) => (
        <TikTokPlayer key={video.id} video={video} />
      ))}
    </>
  )
  if (!post.isPremium || post.mine) return content
  const teaser = post.teaser && <PostText text={post.teaser} postId={post.id} large={large} isLead={large} />
  return (
    <PremiumLock post={post} teaser={teaser}>
      {content}
    </PremiumLock>
  )
}

/** Shows the text in full on the post's own page, and otherwise its first lines with a link to the rest. */
function PostText({
  text,
  postId,
  large,
  isLead,
}: {
  text: string
  postId: string
  large: boolean
  /** In larger type. Not for the description of a product, which must not be larger than the product's name. */
  isLead: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const isTruncated = useIsOverflowing(box, text)
  return (
    <>
      <Box
        ref={box}
        marginTop="1"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
        textStyle={isLead ? 'lead' : 'body'}
        lineClamp={large ? undefined : 14}
      >
        <UserText text={text} />
      </Box>
      {!large && isTruncated && (
        <TextLink to={paths.post.getHref(postId)} display="inline-block" marginTop="1.5">
          <Trans>Show more</Trans>
        </TextLink>
      )}
    </>
  )
}

/** Returns whether the element's content is higher than the element. Updates with the element's size and `content`. */
function useIsOverflowing(ref: RefObject<HTMLElement | null>, content: string): boolean {
  const [isOverflowing, setOverflowing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text can overflow without a change of size
  useEffect(() => {
    const element = ref.current
    if (!element) return
    // The observer also reports the initial size.
    const observer = new ResizeObserver(() => setOverflowing(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, content])
  return isOverflowing
}

/** Shows the product of a post with a link to its external store. `children` is the description. */
function ProductOffer({ post, product, children }: { post: Post; product: Product; children: ReactNode }) {
  const { name } = product
  return (
    <Box
      role="group"
      aria-label={t`Product: ${name}`}
      marginTop="2.5"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      // The image extends to the edges.
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

/** Shows the store's host beside the link, so that users see where it leads. Shows nothing for an invalid URL. */
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

function storeHost(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? host : null
}
