import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { paths } from '@/lib/paths'
import { TextLink } from '@/ui/layout'
import { UserText, userTextParagraphs } from '@/ui/UserText'
import { useIsOverflowing } from '@/ui/useIsOverflowing'
import { extractTikToks } from '../model'
import { PostMedia } from './PostMedia'
import { PremiumLock } from './PremiumLock'
import { ProductOffer } from './product/ProductOffer'
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
    <PremiumLock post={post} teaser={teaser} large={large}>
      {content}
    </PremiumLock>
  )
}

/** Shows the text in full on the post's own page. Elsewhere, shows only its first lines, with a link to the rest. */
function PostText({
  text,
  postId,
  large,
  isLead,
}: {
  text: string
  postId: string
  large: boolean
  /**
   * Whether the text is larger. False for a product's description, which must not be larger than the product's name.
   */
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
