import { Box, chakra } from '@chakra-ui/react'
import type { Snapshot, SubjectKind } from '@contract/moderation.ts'
import { Product } from '@contract/product.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { dollars } from '@/lib/format'
import { fullTime, longDate } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { EyeIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'

/** Shows the latest snapshot of the subject, and the earlier ones on request. */
export function SnapshotList({ kind, snapshots }: { kind: SubjectKind; snapshots: readonly Snapshot[] }) {
  const [showAll, setShowAll] = useState(false)
  const latest = snapshots.at(-1)
  if (!latest) {
    return (
      <Box textStyle="small" color="muted">
        {t`The account was deleted, so the content isn't kept.`}
      </Box>
    )
  }
  const earlierCount = snapshots.length - 1
  return (
    <Box display="grid" gap="3">
      {(showAll ? snapshots : [latest]).map((snapshot) => (
        <SnapshotQuote key={snapshots.indexOf(snapshot)} kind={kind} snapshot={snapshot} showDate={showAll} />
      ))}
      {earlierCount > 0 && (
        <Button
          variant="link"
          size="sm"
          justifySelf="start"
          aria-expanded={showAll}
          onClick={() => setShowAll(!showAll)}
        >
          {showAll
            ? t`Show only the latest version`
            : t`${plural(earlierCount, { one: 'Show # earlier version', other: 'Show # earlier versions' })}`}
        </Button>
      )}
    </Box>
  )
}

function SnapshotQuote({
  kind,
  snapshot,
  showDate,
}: {
  kind: SubjectKind
  snapshot: Snapshot
  showDate: boolean
}) {
  const { at, seen } = snapshot
  const date = longDate(at)
  return (
    <Box
      as="blockquote"
      paddingInlineStart="3.5"
      borderInlineStartWidth="3px"
      borderInlineStartColor="outline"
      minWidth="0"
    >
      {showDate && (
        <Box textStyle="caption" color="muted" marginBottom="1">
          {t`As of ${date}`}
        </Box>
      )}
      {kind === 'user' ? <ProfileSnapshot seen={seen} /> : <ContentSnapshot seen={seen} />}
    </Box>
  )
}

type SnapshotData = Snapshot['seen']

function ContentSnapshot({ seen }: { seen: SnapshotData }) {
  const product = Product.partial().safeParse(seen.product).data
  const price = seen.premiumPrice !== undefined && dollars(seen.premiumPrice)
  const editTime = seen.editedAt && fullTime(seen.editedAt)
  const facts = [
    price && t`Premium, ${price}`,
    seen.madeBy && t`Written with AI`,
    editTime && t`Edited ${editTime}`,
  ].filter(Boolean)
  return (
    <>
      {product && (
        <Box textStyle="label" marginBottom="1">
          <bdi>{product.name}</bdi>
          {product.price !== undefined && ` · ${dollars(product.price)}`}
          {product.category && (
            <>
              {' · '}
              <bdi>{product.category}</bdi>
            </>
          )}
        </Box>
      )}
      {seen.teaser && (
        <LongText>
          <Box as="span" color="muted">
            <Trans>Teaser:</Trans>{' '}
          </Box>
          {seen.teaser}
        </LongText>
      )}
      {seen.content && <LongText>{seen.content}</LongText>}
      {product?.storeUrl && (
        <Box textStyle="small" color="muted" overflowWrap="anywhere" dir="ltr">
          {product.storeUrl}
        </Box>
      )}
      {seen.mediaType === 'audio' && seen.mediaId && <VoiceRecording mediaId={seen.mediaId} />}
      {seen.mediaType && seen.mediaType !== 'audio' && seen.mediaId && (
        <BlurredMedia
          type={seen.mediaType}
          mediaId={seen.mediaId}
          posterId={seen.posterId}
          alt={seen.altText}
        />
      )}
      {facts.length > 0 && (
        <Box textStyle="caption" color="muted" marginTop="2">
          {facts.join(' · ')}
        </Box>
      )}
    </>
  )
}

function ProfileSnapshot({ seen }: { seen: SnapshotData }) {
  const name = seen.fullName ?? seen.username ?? ''
  return (
    <Box display="flex" gap="3" alignItems="flex-start">
      <Avatar user={{ displayName: name, profileImageUrl: seen.profileImageUrl ?? null }} size="lg" />
      <Box minWidth="0">
        <Box textStyle="label" overflowWrap="anywhere" {...userTextLine}>
          {name}
        </Box>
        <Box textStyle="small" color="muted" overflowWrap="anywhere">
          <bdi dir="ltr">@{seen.username}</bdi>
        </Box>
        {seen.bio && <LongText>{seen.bio}</LongText>}
        {seen.website && (
          <Box textStyle="small" color="muted" overflowWrap="anywhere" dir="ltr">
            {seen.website}
          </Box>
        )}
      </Box>
    </Box>
  )
}

/** Longer text is shortened to this number of characters until it is expanded. */
const collapsedLength = 600

function LongText({ children }: { children: ReactNode }) {
  const [isExpanded, setExpanded] = useState(false)
  const isLong = typeof children === 'string' && children.length > collapsedLength
  return (
    <>
      <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
        {isLong && !isExpanded ? `${children.slice(0, collapsedLength)}…` : children}
      </Box>
      {isLong && (
        <Button variant="link" size="sm" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? t`Show less` : t`Show more`}
        </Button>
      )}
    </>
  )
}

const mediaStyle = {
  display: 'block',
  width: '100%',
  minHeight: '8rem',
  maxHeight: '24rem',
  objectFit: 'contain',
  borderRadius: 'md',
} as const
const Image = chakra('img', {
  base: mediaStyle,
  // Strong enough that nothing is recognizable.
  variants: { blurred: { true: { filter: 'blur(2rem)' } } },
})
const Video = chakra('video', { base: mediaStyle })

const mediaPath = (id: string) => `/api/media/${id}`

const Audio = chakra('audio', {
  base: { display: 'block', width: '100%', maxWidth: '26rem', marginTop: '3' },
})

/** Plays a reported voice message. */
function VoiceRecording({ mediaId }: { mediaId: string }) {
  const [failed, setFailed] = useState(false)
  return failed ? (
    <InlineError
      text={t`Couldn't load the recording. It may have been deleted.`}
      onRetry={() => setFailed(false)}
    />
  ) : (
    <Audio
      src={mediaPath(mediaId)}
      controls
      preload="metadata"
      aria-label={t`Voice message`}
      onError={() => setFailed(true)}
    />
  )
}

const Thumbnail = chakra('button', {
  base: {
    display: 'block',
    position: 'relative',
    width: '16',
    height: '16',
    overflow: 'hidden',
    flexShrink: '0',
    bg: 'sunken',
    borderRadius: 'md',
    cursor: 'pointer',
    '& img': { width: 'full', height: 'full', objectFit: 'cover' },
    // Strong enough that nothing is recognizable.
    '&[aria-pressed=false] img': { filter: 'blur({spacing.4})' },
  },
})

/**
 * Shows a thumbnail of the reported image or of the video's poster, blurred until it is pressed.
 *
 * @param subject the subject of the case, for the label, such as 'post by Noor'
 */
export function MediaThumbnail({
  seen: { mediaType, mediaId, posterId, altText },
  subject,
}: {
  seen: SnapshotData
  subject: string
}) {
  const [isRevealed, setRevealed] = useState(false)
  const [failed, setFailed] = useState(false)
  const imageId = mediaType === 'image' ? mediaId : mediaType === 'video' ? posterId : undefined
  if (!imageId || failed) return null
  return (
    <Thumbnail type="button" aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
      <VisuallyHidden>
        {mediaType === 'image' ? t`Show image: ${subject}` : t`Show video preview: ${subject}`}
      </VisuallyHidden>
      <img
        src={mediaPath(imageId)}
        alt={isRevealed ? (altText ?? '') : ''}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    </Thumbnail>
  )
}

/** Shows the image or video of a reported post, blurred until the admin reveals it, as it may be disturbing. */
function BlurredMedia({
  type,
  mediaId,
  posterId,
  alt,
}: {
  type: 'image' | 'video'
  mediaId: string
  posterId: string | undefined
  alt: string | undefined
}) {
  const [isRevealed, setRevealed] = useState(false)
  const [failed, setFailed] = useState(false)
  const imageId = type === 'video' ? posterId : mediaId
  if (failed) {
    const text =
      type === 'video'
        ? t`Couldn't load the video. It may have been deleted.`
        : t`Couldn't load the image. It may have been deleted.`
    return <InlineError text={text} onRetry={() => setFailed(false)} />
  }
  return (
    <Box
      position="relative"
      overflow="hidden"
      minHeight="8rem"
      maxWidth="26rem"
      marginTop="3"
      bg="sunken"
      borderRadius="md"
      borderWidth="1px"
    >
      {isRevealed && type === 'video' ? (
        <Video
          src={mediaPath(mediaId)}
          poster={posterId && mediaPath(posterId)}
          controls
          autoFocus
          onError={() => setFailed(true)}
        />
      ) : (
        imageId && (
          <Image
            src={mediaPath(imageId)}
            alt={isRevealed ? (alt ?? '') : ''}
            blurred={!isRevealed}
            loading="lazy"
            decoding="async"
            onError={() => setFailed(true)}
          />
        )
      )}
      {!isRevealed && (
        <Box position="absolute" inset="0" display="grid" placeItems="center">
          <Button onClick={() => setRevealed(true)}>
            <EyeIcon /> {type === 'video' ? t`Show video` : t`Show image`}
          </Button>
        </Box>
      )}
    </Box>
  )
}
