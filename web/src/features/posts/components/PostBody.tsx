import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useRef } from 'react'
import { paths } from '@/paths'
import { TextLink } from '@/ui/layout'
import { RichText } from '@/ui/RichText'
import { ownParagraphs } from '@/ui/words'
import { Unlockable } from './locked/Unlockable'
import { PostMedia } from './media/PostMedia'
import { TikTok } from './media/TikTok'
import { splitTikToks } from './media/tiktok'
import { ProductOffer } from './ProductOffer'
import { useOverflow } from './useOverflow'

/** What a post holds; while locked, what its author lets everybody see, and the way to the rest. */
export function PostBody({ post, large }: { post: Post; large: boolean }) {
  const { text, videos } = splitTikToks(post.content)
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
        <TikTok key={video.id} video={video} />
      ))}
    </>
  )
  if (!post.isPremium || post.mine) return all
  const teaser = post.teaser && <Words text={post.teaser} postId={post.id} large={large} lead={large} />
  return (
    <Unlockable post={post} teaser={teaser}>
      {all}
    </Unlockable>
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
  const cut = useOverflow(box, text)
  return (
    <>
      <Box
        ref={box}
        marginTop="1"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...ownParagraphs}
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
