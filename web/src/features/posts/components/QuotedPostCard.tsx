import { Box, chakra } from '@chakra-ui/react'
import type { Post, QuotedPost } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { ImageIcon, LockIcon, PlayIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { PostTime } from '@/ui/TimeAgo'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'

/** Returns what a card shows of `post`. By default, premium posts are locked, as in the posts that quote them. */
export const toQuotedPost = (post: Post, locked = post.isPremium): QuotedPost => ({
  available: true,
  id: post.id,
  user: post.user,
  text: (locked ? post.teaser : post.teaser || post.content) ?? '',
  productName: post.product?.name ?? null,
  mediaType: post.mediaType,
  imageUrl: locked ? null : (post.imageUrl ?? post.posterUrl),
  placeholder: post.placeholder,
  altText: locked ? null : post.altText,
  locked,
  createdAt: post.createdAt,
})

/**
 * Links to a quoted post. The picture is beside the text. If there is no text or the card is narrow, it takes the full
 * width.
 */
export function QuotedPostCard({
  quoted,
  label = t`Quoted post:`,
  compact = false,
  narrow = false,
  preview = false,
  children,
}: {
  quoted: QuotedPost
  /** For screen readers: what the card is. */
  label?: string
  /** Whether the picture is small even if there is no text, like that of a locked post. */
  compact?: boolean
  /** Whether the card has no room for a picture beside the text, as in a message. */
  narrow?: boolean
  /** Whether the card is in a draft, where it is compact and not a link. */
  preview?: boolean
  /** Displayed at the end of the card. Replaces the thumbnail of a locked post. */
  children?: ReactNode
}) {
  if (!quoted.available)
    return (
      <Frame padding="3" bg="sunken" color="muted" textStyle="small">
        <Trans>This post is not available.</Trans>
      </Frame>
    )
  const { user, text, productName, mediaType, imageUrl, placeholder, locked } = quoted
  const name = displayName(user)
  const hasRoomBeside = !narrow && (text !== '' || productName !== null)
  const isWide = imageUrl !== null && !hasRoomBeside && !compact && !preview
  const isVideo = mediaType === 'video'
  const mediaName = mediaType === null ? '' : isVideo ? t`Video` : t`Photo`
  // Says what the post contains if the picture is missing or locked, or is small and has no text beside it.
  const showsMediaName = mediaType !== null && (imageUrl === null || (!isWide && !text && !productName))
  const hasThumbnail = (locked && !children) || (imageUrl !== null && !isWide)
  const alt = quoted.altText || (showsMediaName ? '' : mediaName)
  const content = (
    <>
      <Box display="flex" gap="3" padding="3">
        <Box flex="1" minWidth="0">
          <Box display="flex" alignItems="center" columnGap="1.5" minWidth="0">
            <Avatar user={{ ...user, displayName: name, isCreator: false }} size="xs" />
            <Box as="span" textStyle="label" truncate {...userTextLine}>
              {name}
            </Box>
            {/* Becomes shorter before the name does. On phones, there is no room for it beside a thumbnail. */}
            <Box
              as="span"
              hideBelow={hasThumbnail ? 'md' : undefined}
              textStyle="small"
              color="muted"
              truncate
              flexShrink="9999"
            >
              <bdi dir="ltr">@{user.handle}</bdi>
            </Box>
            <Box as="span" textStyle="small" color="muted" flexShrink="0">
              · <PostTime at={quoted.createdAt} />
            </Box>
          </Box>
          {productName && (
            <Box marginTop="1" textStyle="label" lineClamp="2" overflowWrap="anywhere" {...userTextLine}>
              {productName}
            </Box>
          )}
          {text && (
            <Box
              marginTop="1"
              textStyle="small"
              whiteSpace="pre-line"
              overflowWrap="anywhere"
              lineClamp="3"
              {...userTextParagraphs}
            >
              <UserText text={text} linked={false} />
            </Box>
          )}
          {showsMediaName && (
            <Box display="flex" alignItems="center" gap="1.5" marginTop="1" textStyle="small" color="muted">
              {isVideo ? <PlayIcon /> : <ImageIcon />} {mediaName}
            </Box>
          )}
        </Box>
        {hasThumbnail && (
          <Thumbnail>
            {(imageUrl ?? placeholder) && (
              <Picture
                src={imageUrl ?? placeholder ?? ''}
                alt={imageUrl ? alt : ''}
                loading="lazy"
                decoding="async"
              />
            )}
            {locked && (
              <Circle color="gold.text">
                <LockIcon />
                <VisuallyHidden>{t`Premium post`}</VisuallyHidden>
              </Circle>
            )}
            {isVideo && imageUrl && (
              <Circle>
                <PlayIcon />
              </Circle>
            )}
          </Thumbnail>
        )}
      </Box>
      {isWide && (
        <Box
          position="relative"
          aspectRatio="16 / 9"
          maxHeight="12rem"
          width="100%"
          bg="sunken"
          borderTopWidth="1px"
        >
          <Picture src={imageUrl} alt={alt} loading="lazy" decoding="async" />
          {isVideo && (
            <Circle position="absolute" inset="0" margin="auto" boxSize="12" fontSize="xl">
              <PlayIcon />
            </Circle>
          )}
        </Box>
      )}
      {children}
    </>
  )
  if (preview) return <Frame>{content}</Frame>
  return (
    <Frame asChild _hover={{ bg: 'hover', borderColor: 'outline' }}>
      <Link to={paths.post.getHref(quoted.id)}>
        <VisuallyHidden>{label} </VisuallyHidden>
        {content}
      </Link>
    </Frame>
  )
}

const Frame = chakra('div', {
  base: {
    display: 'block',
    bg: 'surface',
    borderWidth: '1px',
    borderRadius: 'md',
    overflow: 'hidden',
    color: 'text',
    textDecoration: 'none',
  },
})

const Thumbnail = chakra('span', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    flexShrink: '0',
    boxSize: { base: '20', md: '24' },
    overflow: 'hidden',
    borderRadius: 'sm',
    bg: 'sunken',
    '& > *': { gridArea: '1 / 1' },
  },
})

const Picture = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'cover' } })

/** The background of an icon on a picture. */
const Circle = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    boxSize: '7',
    borderRadius: 'full',
    bg: 'surface',
    color: 'text',
  },
})
