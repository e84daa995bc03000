import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName, isolateBidi } from '@/lib/text'
import { fullTime } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { CheckIcon, PinIcon, RepostIcon, SparkIcon } from '@/ui/icons'
import { PostDate, PostTime } from '@/ui/TimeAgo'
import { Tooltip } from '@/ui/Tooltip'
import { userTextLine } from '@/ui/UserText'
import { unlockPrice } from '../model'
import { PostMenu } from './PostMenu'

const NameLink = chakra(Link, {
  base: {
    textStyle: 'label',
    borderRadius: 'xs',
    minWidth: '0',
    maxWidth: '100%',
    truncate: true,
    // The padding makes the target at least 44 px high, and the negative margin keeps it from taking up space. The
    // padding is larger above the name and below the time, because the time is on the next line on a phone.
    paddingTop: '4',
    marginTop: '-4',
    paddingBottom: '3',
    marginBottom: '-3',
    _hover: { textDecoration: 'underline' },
  },
})
const TimeLink = chakra(Link, {
  base: {
    display: 'inline-block',
    color: 'muted',
    borderRadius: 'xs',
    whiteSpace: 'nowrap',
    _hover: { textDecoration: 'underline' },
    paddingTop: '2',
    marginTop: '-2',
    paddingBottom: '5',
    marginBottom: '-5',
    // Short text such as '5m' is narrower than a touch target. The padding overlaps only text, or elements that come
    // later in the page and are therefore on top.
    paddingInlineEnd: '5',
    marginInlineEnd: '-5',
  },
})

/** Whether pinned posts are marked. They are marked only on the profile that they are pinned to. */
export const ShowsPinned = createContext(false)

/** Marks a pinned post above its header, in the column of the author's name. */
export function PinnedMark({ post }: { post: Post }) {
  if (!use(ShowsPinned) || !post.pinned) return null
  return (
    <Box display="flex" marginTop="-1" marginBottom="1.5" paddingInlineStart="3.5rem">
      <Badge>
        <PinIcon /> <Trans>Pinned</Trans>
      </Badge>
    </Box>
  )
}

/** Says above the header who reposted the post, in a list that contains the post because of the repost. */
export function RepostedBy({ post: { repostedBy } }: { post: Post }) {
  const { user: viewer } = useCurrentUser()
  if (!repostedBy) return null
  const { user, at } = repostedBy
  const name = displayName(user)
  return (
    <Box
      display="flex"
      alignItems="center"
      gap="3"
      marginTop="-1"
      marginBottom="1.5"
      paddingInlineStart="7"
      color="muted"
    >
      <RepostIcon />
      <NameLink
        to={paths.profile.getHref(user.handle)}
        title={fullTime(at)}
        textStyle="small"
        {...userTextLine}
      >
        {user.id === viewer?.id ? (
          <Trans>You reposted</Trans>
        ) : (
          <Trans>
            <bdi>{name}</bdi> reposted
          </Trans>
        )}
      </NameLink>
    </Box>
  )
}

/**
 * Shows a post's author and time, its badges and its menu. In a list on a wide screen, they are on one line. Otherwise,
 * they are on two lines, with the name above the handle and the time.
 */
export function PostHeader({
  post,
  large,
  onDeleted,
}: {
  post: Post
  /** Whether the post is on its own page, which also shows the full time below the content. */
  large: boolean
  onDeleted?: () => void
}) {
  const line = { display: large ? 'flex' : { base: 'flex', md: 'contents' } } as const
  return (
    <Box
      display="flex"
      alignItems={large ? 'center' : { base: 'center', md: 'flex-start' }}
      gap="2"
      minWidth="0"
      minHeight="6"
    >
      <Box
        display="flex"
        flexDirection={large ? 'column' : { base: 'column', md: 'row' }}
        alignItems={large ? 'stretch' : { base: 'stretch', md: 'center' }}
        columnGap="2"
        flex="1"
        minWidth="0"
        minHeight="6"
      >
        <Box {...line} alignItems="center" gap="2">
          <NameLink to={paths.profile.getHref(post.user.handle)} {...userTextLine}>
            {displayName(post.user)}
          </NameLink>
          {post.user.isAdmin && (
            <Badge tone="neutral">
              <Trans>Admin</Trans>
            </Badge>
          )}
          {post.isPremium && <PremiumBadge post={post} />}
        </Box>
        <Box {...line} flexWrap="wrap" alignItems="center" columnGap="2">
          <Box {...line} alignItems="center" columnGap="2" minWidth="0" maxWidth="100%">
            <Box
              as="span"
              textStyle="small"
              color="muted"
              flex={large ? '0 1 auto' : { base: '0 1 auto', md: '1 1 0' }}
              maxWidth="max-content"
              minWidth="0"
              truncate
            >
              <bdi dir="ltr">@{post.user.handle}</bdi>
            </Box>
            <Dot />
            <Box as="span" textStyle="small" color="muted" flexShrink={0}>
              {large ? (
                <PostDate at={post.createdAt} />
              ) : (
                <TimeLink to={paths.post.getHref(post.id)}>
                  <PostTime at={post.createdAt} />
                </TimeLink>
              )}
            </Box>
          </Box>
          {post.editedAt && (
            <>
              <Dot />
              <EditedNote at={post.editedAt} />
            </>
          )}
          {post.madeByAi && <AiBadge post={post} />}
        </Box>
      </Box>
      <Box marginBlock="-2.5" marginInlineEnd="-2">
        <PostMenu post={post} onDeleted={onDeleted} />
      </Box>
    </Box>
  )
}

function EditedNote({ at }: { at: string }) {
  const time = fullTime(at)
  return (
    <Box as="span" textStyle="small" color="muted" title={t`Edited ${time}`}>
      <Trans>edited</Trans>
    </Box>
  )
}

function Dot() {
  return (
    <Box as="span" textStyle="small" color="muted" aria-hidden>
      ·
    </Box>
  )
}

/**
 * Shows the price to the author and to users without access. Shows other users that they have access, through a payment
 * or a subscription.
 */
function PremiumBadge({ post }: { post: Post }) {
  const price = dollars(unlockPrice(post))
  return (
    // Where the header is on one line, the badge comes after the time.
    <Badge tone="gold" fontVariantNumeric="tabular-nums" flexShrink="0" order={{ md: '1' }}>
      {post.mine || post.locked ? (
        <>
          {t`PREMIUM ${price}`}
          {post.mine && post.unlocksCount !== null && post.unlocksCount > 0 && (
            <>
              {' · '}
              <Plural value={post.unlocksCount} one="# unlock" other="# unlocks" />
            </>
          )}
        </>
      ) : (
        <>
          <CheckIcon /> {t`Unlocked`}
        </>
      )}
    </Badge>
  )
}

/** How long the explanation stays open after a press. */
const explanationMs = 6_000

/** Marks a post that was written by AI. A tooltip explains it on hover, focus or press. */
function AiBadge({ post }: { post: Post }) {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  /**
   * Needed for touch screens, which have no hover. Opens the tooltip after a timeout, because the press itself closes
   * it.
   */
  const showExplanation = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setOpen(true)
      timer.current = setTimeout(() => setOpen(false), explanationMs)
    })
  }
  const authorName = isolateBidi(displayName(post.user))
  const explanation = t`AI wrote this post. It was published for ${authorName}, with their consent.`
  return (
    <Tooltip label={explanation} open={open} onOpenChange={setOpen}>
      <AiButton type="button" aria-label={t`Written with AI. ${explanation}`} onClick={showExplanation}>
        <Badge tone="neutral">
          <SparkIcon /> <Trans>Written with AI</Trans>
        </Badge>
      </AiButton>
    </Tooltip>
  )
}

const AiButton = chakra('button', {
  base: {
    position: 'relative',
    order: { md: '1' },
    display: 'inline-flex',
    borderRadius: 'full',
    cursor: 'help',
    // Enlarges the touch target without making the line taller.
    _before: { content: '""', position: 'absolute', insetInline: '0', insetBlock: '-0.625rem' },
  },
})
