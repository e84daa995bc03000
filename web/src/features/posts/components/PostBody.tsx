import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useRef } from 'react'
import { paths } from '@/lib/paths'
import { TextLink } from '@/ui/layout'
import { RichText } from '@/ui/UserText'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { extractTikToks } from '../tiktok'
import { PostMedia } from './PostMedia'
import { PremiumContent } from './PremiumContent'
import { ProductOffer } from './ProductOffer'
import { TikTokPlayer } from './TikTokPlayer'
import { useIsOverflowing } from './useIsOverflowing'

/** What a post holds; while locked, what its author lets everybody see, and the way to the rest. */
export function PostBody({ post, large }: { post: Post; large: boolean }) {
  const { text, videos } = extractTikToks(post.content)
  const words = text && <Words text={text} postId={post.id} large={large} lead={large && !post.product} />
  const all = (
    <>
      {post.product ? (
        <ProductOffer post={post} product={post.product}>
          {words}
        </ProductOffer>
      ) : (
        <>
          {words}
          <PostMedia post={post} />
        </>
      )}
      {videos.map((video) => (
        <TikTokPlayer key={video.id} video={video} />
      ))}
    </>
  )
  if (!post.isPremium || post.mine) return all
  const teaser = post.teaser && <Words text={post.teaser} postId={post.id} large={large} lead={large} />
  return (
    <PremiumContent post={post} teaser={teaser}>
      {all}
    </PremiumContent>
  )
}

/** What was written: all of it on its own page, else its first lines and the way to the rest. */
function Words({
  text,
  postId,
  large,
  lead,
}: {
  text: string
  postId: string
  large: boolean
  /** In larger letters; not where it stands below a product's name, which it would outgrow. */
  lead: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const cut = useIsOverflowing(box, text)
  return (
    <>
      <Box
        ref={box}
        marginTop="1"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
        textStyle={lead ? 'lead' : 'body'}
        lineClamp={large ? undefined : 14}
      >
        <RichText text={text} />
      </Box>
      {!large && cut && (
        <TextLink to={paths.post.getHref(postId)} display="inline-block" marginTop="1.5">
          Show more
        </TextLink>
      )}
    </>
  )
}
