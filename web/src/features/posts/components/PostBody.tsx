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
import { QuotedPostCard } from './QuotedPostCard'
import { TikTokPlayer } from './TikTokPlayer'

/** Shows the content of a post or, while the post is locked, its teaser and the lock. The quoted post is below. */
export function PostBody({ post, large }: { post: Post; large: boolean }) {
  return (
    <>
      <PostContent post={post} large={large} />
      {post.quotedPost && <QuotedPostCard quoted={post.quotedPost} compact={post.mediaType !== null} />}
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

/** A longer text is set smaller, so that more of it fits on the screen. */
const maxLeadLength = 280

/** Splits a text at its blank lines. Returns each paragraph with a unique offset, which serves as its React key. */
function splitParagraphs(text: string): { paragraph: string; offset: number }[] {
  let offset = 0
  return text.split(/\n(?:[^\S\n]*\n)+/).map((paragraph) => {
    const start = offset
    offset += paragraph.length + 1
    return { paragraph, offset: start }
  })
}

/** On phones, the link to the rest of a caption is at the end of the last visible line, because this saves a line. */
const captionLink = { position: 'absolute', insetEnd: '0', bottom: '0', bg: 'surface' } as const
/** The text flows around the place of the link: the last line of a float that is as high as the caption. */
const captionLinkSpace = {
  content: '""',
  float: 'inline-end',
  width: '7rem',
  height: '3lh',
  shapeOutside: 'inset(2lh 0 0)',
} as const

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
  /**
   * Whether the text is larger. False for a product's description, which must not be larger than the product's name.
   */
  isLead: boolean
  /** Whether a photo or video follows, which should be in view together with the text on a phone. */
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
    <Box position="relative" marginTop="1" textStyle="body">
      <Box
        ref={box}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
        {...(isCaption
          ? {
              overflow: 'hidden',
              maxHeight: { mdDown: '3lh' },
              lineClamp: { md: 14 },
              _before: isTruncated ? { mdDown: captionLinkSpace } : undefined,
            }
          : { lineClamp: 14 })}
      >
        <UserText text={text} />
      </Box>
      {isTruncated && (
        <TextLink
          to={paths.post.getHref(postId)}
          display="inline-block"
          marginTop="1.5"
          {...(isCaption && { mdDown: captionLink })}
        >
          {isCaption && (
            <Box as="span" aria-hidden hideFrom="md" color="text" marginInlineEnd="1">
              …
            </Box>
          )}
          <Trans>Show more</Trans>
        </TextLink>
      )}
    </Box>
  )
}
