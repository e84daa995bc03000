import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useRef } from 'react'
import { paths } from '@/lib/paths'
import { TextLink } from '@/ui/layout'
import { UserText, userTextParagraphs } from '@/ui/UserText'
import { useIsOverflowing } from '@/ui/useIsOverflowing'
import { extractTikToks } from '../model'
import { PostMedia } from './PostMedia'
import { PremiumLock } from './PremiumLock'
import { ProductOffer } from './product/ProductOffer'
import { QuotedPostCard } from './QuotedPostCard'

const TikTokPlayer = lazy(() => import('./TikTokPlayer'))

/** Shows the content of a post or, while the post is locked, its teaser and the lock. The quoted post is below. */
export function PostBody({ post, large }: { post: Post; large: boolean }) {
  return (
    <>
      <PostContent post={post} large={large} />
      {post.quotedPost && (
        <Box marginTop="2.5">
          <QuotedPostCard quoted={post.quotedPost} compact={post.mediaType !== null} />
        </Box>
      )}
    </>
  )
}

function PostContent({ post, large }: { post: Post; large: boolean }) {
  const { text, videos } = extractTikToks(post.content)
  const postText = text && (
    <PostText
      text={text}
      postId={post.id}
      large={large}
      isLead={large && !post.product}
      isCaption={!post.product && post.mediaType !== null}
    />
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
          <PostMedia post={post} isWhole={large} />
        </>
      )}
      {videos.map((video) => (
        <Suspense key={video.id} fallback={<Box marginTop="2.5" height="16" />}>
          <TikTokPlayer video={video} />
        </Suspense>
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

/** Lead text with more characters than this has a smaller font, so that more of it fits on the screen. */
const maxLeadLength = 280

/** Splits text at blank lines. Returns each paragraph with a unique offset, which serves as its React key. */
function splitParagraphs(text: string): { paragraph: string; offset: number }[] {
  let offset = 0
  return text.split(/\n(?:[^\S\n]*\n)+/).map((paragraph) => {
    const start = offset
    offset += paragraph.length + 1
    return { paragraph, offset: start }
  })
}

/** Shows the text in full on the post's own page. Elsewhere, shows only its first lines, with a link to the rest. */
function PostText({
  text,
  postId,
  large,
  isLead,
  isCaption = false,
}: {
  text: string
  postId: string
  large: boolean
  /** Whether the font is larger. False for a product's description, which must not be larger than the name. */
  isLead: boolean
  /**
   * Whether a photo or video follows. If so, phones show at most five lines of text, so that both are in view. The link
   * to the rest takes the place of the fifth line.
   */
  isCaption?: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const isTruncated = useIsOverflowing(box, text)
  if (large) {
    return (
      <Box
        marginTop="1"
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="3"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...(!isLead
          ? { textStyle: 'body' }
          : text.length > maxLeadLength
            ? { textStyle: 'body', fontSize: { base: 'input', md: 'lg' } }
            : { textStyle: 'lead' })}
      >
        {splitParagraphs(text).map(({ paragraph, offset }) => (
          <Box key={offset} {...userTextParagraphs}>
            <UserText text={paragraph} />
          </Box>
        ))}
      </Box>
    )
  }
  return (
    <Box marginTop="1" textStyle="body">
      <Box
        ref={box}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
        lineClamp={isCaption ? { base: isTruncated ? 4 : 5, md: 14 } : 14}
      >
        <UserText text={text} />
      </Box>
      {isTruncated && (
        <TextLink
          to={paths.post.getHref(postId)}
          display="inline-block"
          marginTop={{ base: isCaption ? '0' : '1.5', md: '1.5' }}
        >
          <Trans>Show more</Trans>
        </TextLink>
      )}
    </Box>
  )
}
