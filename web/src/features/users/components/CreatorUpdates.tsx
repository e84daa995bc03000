import { Box, chakra } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import { limits } from '@contract/limits.ts'
import type { CreatorUpdate } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { LockIcon } from '@/ui/icons'
import { Card, VisuallyHidden } from '@/ui/layout'
import { SkeletonCircle } from '@/ui/Skeleton'
import { CompactAge } from '@/ui/TimeAgo'
import { UserRowLink } from '@/ui/UserRow'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import { creatorUpdatesQuery } from '../api'
import { markUpdatesSeen, readSeenUpdates } from '../seen-updates'

/** The maximum number of creators in the list beside the feed. */
const maxRows = 5

/**
 * Shows the newest post of each creator whom the viewer follows or subscribes to and who posted recently, newest first.
 * A dot marks a post published since the viewer last opened the creator's profile or a post of theirs from this list.
 * Shows nothing while the list loads, or if it is empty.
 */
export default function CreatorUpdates() {
  const { data: updates = [] } = useQuery(creatorUpdatesQuery)
  const { isNew, markSeen } = useSeenUpdates()
  if (updates.length === 0) return null
  return (
    <Card as="section" aria-labelledby="creator-updates" padding="4">
      <Box as="h2" id="creator-updates" textStyle="title" marginBottom="2">
        {t`New from your creators`}
      </Box>
      <Box
        as="ul"
        listStyleType="none"
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="0.5"
        marginInline="-2"
        marginBottom="-2"
      >
        {updates.slice(0, maxRows).map((update) => (
          <li key={update.user.id}>
            <UpdateRow update={update} isNew={isNew(update)} onOpen={() => markSeen(update)} />
          </li>
        ))}
      </Box>
    </Card>
  )
}

/** Returns whether there are updates, or undefined while they load. */
export function useHasCreatorUpdates(enabled: boolean): boolean | undefined {
  const { data, isPending } = useQuery({ ...creatorUpdatesQuery, enabled })
  return isPending ? undefined : (data?.length ?? 0) > 0
}

/**
 * Shows all updates as list items for a row of avatars, with a ring instead of the dot in `CreatorUpdates`. The ring of
 * a new premium post is gold.
 */
export function CreatorUpdateItems() {
  const { data: updates, isPending } = useQuery(creatorUpdatesQuery)
  const { isNew, markSeen } = useSeenUpdates()
  if (isPending) {
    return skeletonKeys.map((key) => (
      <UpdateItem key={key} aria-hidden>
        <SkeletonCircle size={{ base: '3.25rem' }} />
      </UpdateItem>
    ))
  }
  return updates?.map((update) => {
    const { user, latestPost } = update
    const name = displayName(user)
    return (
      <UpdateItem key={user.id}>
        <ItemLink to={paths.post.getHref(latestPost.id)} onClick={() => markSeen(update)}>
          <Ring tone={!isNew(update) ? undefined : latestPost.isPremium ? 'premium' : 'free'}>
            <Avatar user={{ ...user, displayName: name, isCreator: false }} />
            {latestPost.locked && (
              <ItemLock>
                <LockIcon />
              </ItemLock>
            )}
          </Ring>
          <Box as="span" textStyle="caption" maxWidth="100%" truncate {...userTextLine} aria-hidden>
            {user.firstName || name}
          </Box>
          <VisuallyHidden>
            {isNew(update) ? t`New post by ${name}` : t`Post by ${name}`}
            {latestPost.locked ? `, ${t`Locked`}` : latestPost.isPremium && `, ${t`Premium post`}`}
          </VisuallyHidden>
        </ItemLink>
      </UpdateItem>
    )
  })
}

/** Returns `isNew`, which tells whether an update was unseen when the component first rendered, and `markSeen`. */
function useSeenUpdates() {
  const { user: viewer } = useCurrentUser()
  const [seen] = useState(() => (viewer ? readSeenUpdates(viewer.id) : new Map<string, number>()))
  return {
    isNew: ({ user, latestPostAt }: CreatorUpdate) => Date.parse(latestPostAt) > (seen.get(user.id) ?? 0),
    markSeen: ({ user }: CreatorUpdate) => {
      if (viewer) markUpdatesSeen(viewer.id, user.id)
    },
  }
}

function UpdateRow({
  update: { user, latestPostAt, latestPost },
  isNew,
  onOpen,
}: {
  update: CreatorUpdate
  isNew: boolean
  onOpen: () => void
}) {
  const name = displayName(user)
  return (
    <UserRowLink
      to={paths.post.getHref(latestPost.id)}
      onClick={onOpen}
      minHeight="target"
      padding="2"
      borderRadius="md"
      _hover={{ bg: 'hover' }}
    >
      <Avatar user={{ ...user, displayName: name }} />
      <Box as="span" flex="1" minWidth="0">
        <Box as="span" display="flex" alignItems="baseline" gap="1.5">
          <Box as="span" textStyle="label" truncate {...userTextLine}>
            {name}
          </Box>
          {isNew && (
            <>
              <VisuallyHidden>{t`New posts`}</VisuallyHidden>
              <Box
                as="span"
                aria-hidden
                flexShrink="0"
                alignSelf="center"
                boxSize="2"
                borderRadius="full"
                bg="ember.solid"
              />
            </>
          )}
          <Box as="span" textStyle="caption" color="muted" flexShrink="0" marginInlineStart="auto">
            <CompactAge at={latestPostAt} />
          </Box>
        </Box>
        <Box
          as="span"
          textStyle="small"
          lineHeight="snug"
          color="muted"
          lineClamp="2"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {latestPost.locked && (
            <Box
              as="span"
              color="gold.text"
              css={{ '& > svg': { display: 'inline', verticalAlign: '-0.15em' } }}
            >
              <LockIcon /> <VisuallyHidden>{t`Locked`}</VisuallyHidden>
            </Box>
          )}
          <bdi>{summary(latestPost)}</bdi>
        </Box>
      </Box>
      <Thumbnail post={latestPost} />
    </UserRowLink>
  )
}

/** Returns the start of the post's text or, if the text is empty, the kind of post. */
function summary({ text, mediaType }: CreatorUpdate['latestPost']): string {
  return (
    // The server may have cut off text that is as long as the limit, so such text gets an ellipsis.
    excerpt(text, limits.creatorUpdateText - 1) ||
    (mediaType === 'image' ? t`Photo` : mediaType === 'video' ? t`Video` : t`Text`)
  )
}

/** Shows the post's picture, blurred if the post is locked. */
function Thumbnail({ post: { imageUrl, placeholder } }: { post: CreatorUpdate['latestPost'] }) {
  const src = imageUrl ?? placeholder
  if (!src) return null
  return (
    <Box as="span" flexShrink="0" boxSize="11" borderRadius="sm" overflow="hidden" bg="sunken">
      <chakra.img
        src={src}
        alt=""
        loading="lazy"
        decoding="async"
        boxSize="100%"
        objectFit="cover"
        // The scale moves the edges, where the blur is transparent, out of the frame.
        {...(imageUrl ? {} : { filter: 'blur(0.25rem) saturate(1.4)', transform: 'scale(1.2)' })}
      />
    </Box>
  )
}

const skeletonKeys = ['first', 'second', 'third', 'fourth']

const UpdateItem = chakra('li', { base: { flexShrink: '0', width: '4.25rem' } })

const ItemLink = chakra(Link, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '1',
    borderRadius: 'sm',
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const Ring = chakra('span', {
  base: {
    position: 'relative',
    display: 'inline-flex',
    padding: '2px',
    borderWidth: '2px',
    borderColor: 'hairline',
    borderRadius: 'full',
  },
  variants: { tone: { free: { borderColor: 'ember.ring' }, premium: { borderColor: 'gold.ring' } } },
})

/** Marks a locked post on the edge of the avatar. */
const ItemLock = chakra('span', {
  base: {
    position: 'absolute',
    insetEnd: '-2px',
    bottom: '-2px',
    display: 'grid',
    placeItems: 'center',
    boxSize: '5',
    borderRadius: 'full',
    borderWidth: '1px',
    bg: 'surface',
    color: 'gold.text',
    fontSize: 'xs',
  },
})
