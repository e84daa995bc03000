import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import type { Post } from '@contract/post.ts'
import { plural, t } from '@lingui/core/macro'
import { hashKey, useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode, use, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { compactNumber, dollars, formatDuration } from '@/lib/format'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { displayName, isolateBidi } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import {
  CheckIcon,
  CommentIcon,
  EyeOffIcon,
  HeartIcon,
  LockIcon,
  PinIcon,
  PlayIcon,
  QuoteIcon,
  TagIcon,
} from '@/ui/icons'
import { LoadMore } from '@/ui/LoadMore'
import { LockCircle } from '@/ui/LockCircle'
import { Card, VisuallyHidden } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { CompactAge } from '@/ui/TimeAgo'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import type { PostListQuery } from '../api/posts'
import { useListPosition } from '../list-position'
import { extractTikToks, unlockPrice } from '../model'
import { useViewTracking } from '../view-tracking'
import { Placeholder } from './LockedThumbnails'
import { ShowsPinned } from './PostHeader'
import { useFeedShortcuts } from './PostList'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(3, minmax(0, 1fr))', xl: 'repeat(4, minmax(0, 1fr))' },
    gap: { base: '0.5', md: '3' },
  },
  variants: {
    narrow: {
      true: {
        gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
        gap: { base: '0.5', md: '1' },
      },
    },
  },
})

const noAuthors: ReadonlySet<string> = new Set()

/**
 * Shows a list of posts as a grid of square tiles and loads more while the viewer scrolls. In each page of the list,
 * posts by the users in `lastAuthors` come after the others.
 */
export function PostGrid({
  query,
  lastAuthors = noAuthors,
  isLoading = false,
  narrow = false,
  showsAuthors = true,
  empty,
}: {
  query: PostListQuery
  /** The ids of users. */
  lastAuthors?: ReadonlySet<string> | undefined
  /** Whether `lastAuthors` are being loaded. */
  isLoading?: boolean
  /** Whether the grid has three small columns on every screen. */
  narrow?: boolean
  /** Whether each tile shows its author. Otherwise, it shows its likes and comments while hovered or focused. */
  showsAuthors?: boolean
  empty: ReactNode
}) {
  const list = useInfiniteQuery(query)
  const posts = useMemo(
    () =>
      list.data &&
      uniqueItems(
        list.data.pages.map((page) => ({
          ...page,
          items: page.items.toSorted(
            (a, b) => Number(lastAuthors.has(a.userId)) - Number(lastAuthors.has(b.userId)),
          ),
        })),
      ),
    [list.data, lastAuthors],
  )
  if (list.isError && !list.data) {
    return (
      <Card>
        <ErrorState
          title={t`Failed to fetch posts`}
          message={t`Check your connection and try again.`}
          onRetry={() => void list.refetch()}
        />
      </Card>
    )
  }
  if (!posts || isLoading) return <GridSkeleton narrow={narrow} />
  if (posts.length === 0 && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Tiles
        // The same posts can also be shown as a list, which has a position of its own.
        listId={`grid ${hashKey(query.queryKey)}`}
        posts={posts}
        loading={list.isFetchingNextPage}
        narrow={narrow}
        showsAuthors={showsAuthors}
      />
      <LoadMore
        list={list}
        label={t`Show more posts`}
        failedLabel={t`Couldn't load more posts. Try again`}
        endMessage={t`You've reached the end!`}
      />
    </>
  )
}

function Tiles({
  listId,
  posts,
  loading,
  narrow,
  showsAuthors,
}: {
  listId: string
  posts: Post[]
  loading: boolean
  narrow: boolean
  showsAuthors: boolean
}) {
  const root = useRef<HTMLDivElement>(null)
  useListPosition(listId, root)
  useFeedShortcuts(root)
  return (
    <Grid ref={root} role="feed" aria-label={t`Recent Posts`} aria-busy={loading} narrow={narrow}>
      {posts.map((post) => (
        <Box key={post.id} data-post-block={post.id} minWidth="0">
          <PostTile post={post} showsAuthor={showsAuthors} />
        </Box>
      ))}
      {loading && ['a', 'b', 'c'].map((key) => <TileSkeleton key={key} />)}
    </Grid>
  )
}

/**
 * Shows a post as a square with its picture or text and, if `showsAuthor`, its author at the bottom. Links to the post.
 */
export const PostTile = memo(function PostTile({ post, showsAuthor }: { post: Post; showsAuthor: boolean }) {
  const name = displayName(post.user)
  const article = useRef<HTMLElement>(null)
  const isPinned = use(ShowsPinned) && post.pinned
  useViewTracking(article, post)
  return (
    <Box
      asChild
      position="relative"
      css={{
        '&:hover [data-author]': { textDecoration: 'underline' },
        '&:has(:focus-visible) [data-counts]': { opacity: '1' },
        '@media (hover: hover)': { '&:hover [data-counts]': { opacity: '1' } },
      }}
    >
      <article ref={article} data-post={post.id} aria-label={t`Post by ${name}`}>
        <Frame>
          <Content post={post} showsAuthor={showsAuthor} isPinned={isPinned} />
          {!showsAuthor && <Counts post={post} />}
        </Frame>
        <TileLink to={paths.post.getHref(post.id)} data-open-post>
          <VisuallyHidden>{tileLabel(post, name)}</VisuallyHidden>
        </TileLink>
        <VisuallyHidden>
          {isPinned && t`Pinned`} {post.hidden && t({ message: 'Hidden', context: 'post' })}{' '}
          {accessText(post)} <CompactAge at={post.createdAt} /> {countsText(post)}
        </VisuallyHidden>
      </article>
    </Box>
  )
})

const maxLabelLength = 100
/**
 * The font sizes of text with at most `length` characters, and how many lines fit above the author. `halfFontSize` is
 * for text above a picture that fills the lower half of the tile.
 */
const textSizes = [
  {
    length: 40,
    fontSize: { base: 'md', md: '2xl' },
    lines: { base: 4, md: 5 },
    halfFontSize: { base: 'sm', md: 'lg' },
  },
  {
    length: 100,
    fontSize: { base: 'sm', md: 'xl' },
    lines: { base: 5, md: 6 },
    halfFontSize: { base: 'xs', md: 'md' },
  },
  {
    length: Number.POSITIVE_INFINITY,
    fontSize: { base: 'xs', md: 'lg' },
    lines: { base: 5, md: 6 },
    halfFontSize: { base: 'xs', md: 'md' },
  },
] as const

/** Returns the accessible name of a tile's link: what the post is, and the start of its text. */
function tileLabel(post: Post, name: string): string {
  const kind = post.locked ? lockedLabel(post, name) : openLabel(post, name)
  const text = excerpt(tileText(post), maxLabelLength) || post.altText
  return text ? `${kind}: ${isolateBidi(text)}` : kind
}

function lockedLabel(post: Post, name: string): string {
  const price = dollars(unlockPrice(post))
  if (post.mediaType === 'image') return t`Locked photo by ${name}, ${price}`
  return post.mediaType === 'video'
    ? t`Locked video by ${name}, ${price}`
    : t`Locked post by ${name}, ${price}`
}

function openLabel({ mediaType, product }: Post, name: string): string {
  if (product || mediaType === null) return t`Open post by ${name}`
  return mediaType === 'image' ? t`Open photo by ${name}` : t`Open video by ${name}`
}

/**
 * Describes the mark of a premium post for screen readers. Returns an empty string for a locked post, because its link
 * says so.
 */
function accessText({ isPremium, locked, mine }: Post): string {
  if (!isPremium || locked) return ''
  return mine ? t`Premium post` : t`Unlocked`
}

function countsText({ likesCount, commentsCount }: Post): string {
  const likes = t`${plural(likesCount, { one: '# like', other: '# likes' })}`
  return `${likes}, ${t`${plural(commentsCount, { one: '# comment', other: '# comments' })}`}`
}

const tileText = ({ content, teaser, product }: Post) =>
  product?.name || extractTikToks(content).text || content || teaser || ''

type TileContent = { post: Post; showsAuthor: boolean; isPinned: boolean }

/** Shows the picture of a post, or its text if it has no picture or the picture cannot be loaded. */
function Content({ post, showsAuthor, isPinned }: TileContent) {
  const { imageUrl, posterUrl, placeholder, locked } = post
  const [failed, setFailed] = useState(false)
  const url = failed ? null : (imageUrl ?? posterUrl)
  if (url || (locked && placeholder)) {
    return (
      <>
        {placeholder && <Placeholder src={placeholder} alt="" decoding="async" />}
        {url && <Picture src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />}
        <Marks
          post={post}
          isPinned={isPinned}
          position="absolute"
          insetInline="1.5"
          top="1.5"
          justifyContent="flex-end"
        />
        {showsAuthor && <Author post={post} isOnPicture />}
      </>
    )
  }
  return <TileText post={post} showsAuthor={showsAuthor} isPinned={isPinned} />
}

/** Shows the author at the bottom of a tile, in front of a dark gradient if there is a picture behind. */
function Author({ post: { user, likesCount }, isOnPicture }: { post: Post; isOnPicture: boolean }) {
  const name = displayName(user)
  return (
    <Box
      aria-hidden
      position="absolute"
      insetInline="0"
      bottom="0"
      display="flex"
      alignItems="center"
      gap="1.5"
      paddingInline={{ base: '2', md: isOnPicture ? '2.5' : '4' }}
      paddingBottom={{ base: '1.5', md: isOnPicture ? '2' : '3' }}
      paddingTop={{ base: '6', md: '8' }}
      fontSize="xs"
      fontWeight="semibold"
      pointerEvents="none"
      {...(isOnPicture && {
        color: 'stage.text',
        backgroundImage:
          'linear-gradient(to top, {colors.stage.bg/90}, {colors.stage.bg/70} 50%, {colors.stage.bg/0})',
      })}
    >
      {/* On phones, the name needs the space. */}
      <Box display={{ base: 'none', md: 'grid' }}>
        <Avatar user={{ ...user, displayName: name, isCreator: false }} size="xs" />
      </Box>
      <Box as="span" data-author flex="1" minWidth="0" truncate {...userTextLine}>
        {name}
      </Box>
      {likesCount > 0 && (
        <Box
          as="span"
          hideBelow="md"
          display="flex"
          alignItems="center"
          gap="1"
          fontVariantNumeric="tabular-nums"
        >
          <HeartIcon /> {compactNumber(likesCount)}
        </Box>
      )}
    </Box>
  )
}

/** Covers a tile with the numbers of likes and comments, while it is hovered or focused. */
function Counts({ post: { likesCount, commentsCount } }: { post: Post }) {
  return (
    <Box
      aria-hidden
      data-counts
      position="absolute"
      inset="0"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      alignContent="center"
      justifyContent="center"
      columnGap="4"
      rowGap="1"
      bg="stage.bg/85"
      color="stage.text"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      pointerEvents="none"
      opacity="0"
      transition="opacity {durations.fast}"
    >
      <Count icon={<HeartIcon filled />} count={likesCount} />
      <Count icon={<CommentIcon filled />} count={commentsCount} />
    </Box>
  )
}

function Count({ icon, count }: { icon: ReactNode; count: number }) {
  return (
    <Box as="span" display="flex" alignItems="center" gap="1.5">
      {icon} {compactNumber(count)}
    </Box>
  )
}

/**
 * Shows the text of a post on a tinted surface or, without its author, on a gray one. The picture of the quoted post,
 * if there is one, is below the text.
 */
function TileText({ post, showsAuthor, isPinned }: TileContent) {
  const text = tileText(post)
  const picture = quotedPicture(post.quotedPost)
  const size = textSizes.find(({ length }) => text.length <= length)
  const hasMark =
    isPinned ||
    post.hidden ||
    post.isPremium ||
    post.product !== null ||
    post.mediaType !== null ||
    post.quotedPost !== null
  const { base, md } = size?.lines ?? { base: 5, md: 6 }
  const spareLines = (showsAuthor ? 0 : 1) - (hasMark ? 1 : 0)
  const lines = picture ? { base: 2, md: 3 } : { base: base + spareLines, md: md + spareLines }
  return (
    <Box
      height="100%"
      display="flex"
      flexDirection="column"
      bg={post.isPremium ? 'gold.wash' : showsAuthor ? 'ember.wash' : 'sunken'}
    >
      <Box flex="1" minHeight="0" padding={picture ? { base: '2', md: '3' } : { base: '2', md: '4' }}>
        <Box
          fontFamily="display"
          fontWeight="semibold"
          letterSpacing="tight"
          lineHeight="snug"
          fontSize={picture ? size?.halfFontSize : size?.fontSize}
          lineClamp={lines}
          overflowWrap="anywhere"
          dir="auto"
          {...userTextParagraphs}
        >
          {text}
        </Box>
      </Box>
      {picture && (
        <Box
          position="relative"
          isolation="isolate"
          overflow="hidden"
          flexShrink="0"
          height="50%"
          display="grid"
          placeItems="center"
          bg="sunken"
        >
          {picture.placeholder && <Placeholder src={picture.placeholder} alt="" decoding="async" />}
          {picture.imageUrl && <Picture src={picture.imageUrl} alt="" loading="lazy" decoding="async" />}
          {picture.locked && <LockCircle />}
        </Box>
      )}
      {showsAuthor && <Author post={post} isOnPicture={picture !== null} />}
      <Marks
        post={post}
        isPinned={isPinned}
        position="absolute"
        insetInline={{ base: '2', md: picture ? '2.5' : '4' }}
        bottom={showsAuthor ? { base: '9', md: picture ? '10' : '11' } : '2'}
      />
    </Box>
  )
}

/** Returns the quoted post if it has a picture, which is blurred if the post is locked. */
const quotedPicture = (quoted: Post['quotedPost']) =>
  quoted?.available && (quoted.imageUrl || (quoted.locked && quoted.placeholder)) ? quoted : null

/**
 * Shows icons for a pinned, hidden or quoting post and for a video, and the price of a product. A premium post has its
 * price if it is locked or the viewer's own, and a check mark if the viewer has unlocked it.
 */
function Marks({
  post: { locked, mine, product, mediaType, mediaDuration, quotedPost, ...post },
  isPinned,
  ...position
}: {
  post: Post
  isPinned: boolean
} & Pick<BoxProps, 'position' | 'insetInline' | 'top' | 'bottom' | 'justifyContent'>) {
  return (
    <Box display="flex" flexWrap="wrap" gap="1" aria-hidden {...position}>
      {isPinned && (
        <Mark>
          <PinIcon />
        </Mark>
      )}
      {post.hidden && (
        <Mark>
          <EyeOffIcon />
        </Mark>
      )}
      {post.isPremium && (
        <Mark color="gold.text">
          {locked || mine ? (
            <>
              <LockIcon /> {dollars(unlockPrice(post))}
            </>
          ) : (
            <CheckIcon />
          )}
        </Mark>
      )}
      {product && (
        <Mark>
          <TagIcon /> {dollars(product.price)}
        </Mark>
      )}
      {mediaType === 'video' && (
        <Mark>
          <PlayIcon /> {mediaDuration !== null && formatDuration(mediaDuration)}
        </Mark>
      )}
      {quotedPost && (
        <Mark>
          <QuoteIcon />
        </Mark>
      )}
    </Box>
  )
}

const Frame = chakra('div', {
  base: {
    position: 'relative',
    isolation: 'isolate',
    overflow: 'hidden',
    aspectRatio: '1',
    // Keeps long grids fast: the content of distant tiles is not rendered.
    contentVisibility: 'auto',
    bg: 'surface',
    borderRadius: { base: '0', md: 'md' },
    borderWidth: { base: '0', md: '1px' },
  },
})

/** Covers the whole tile. */
const TileLink = chakra(Link, {
  base: {
    position: 'absolute',
    inset: '0',
    borderRadius: { base: '0', md: 'md' },
    _focusVisible: { outlineOffset: { base: '-2px', md: '3px' } },
  },
})

const Mark = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minHeight: '5',
    paddingInline: '1.5',
    borderRadius: 'full',
    bg: 'surface',
    color: 'text',
    fontSize: 'xs',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
  },
})

const Picture = chakra('img', {
  base: { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' },
})

function GridSkeleton({ narrow }: { narrow: boolean }) {
  return (
    <Loading label={t`Loading posts`}>
      <Grid narrow={narrow}>
        {[...'abcdefghijkl'].map((key) => (
          <TileSkeleton key={key} />
        ))}
      </Grid>
    </Loading>
  )
}

function TileSkeleton() {
  return <Skeleton height="auto" aspectRatio="1" borderRadius={{ base: '0', md: 'md' }} />
}
