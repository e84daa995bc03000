import { Box } from '@chakra-ui/react'
import type { Snapshot, SubjectKind } from '@contract/moderation.ts'
import { Product } from '@contract/product.ts'
import { useState } from 'react'
import { dollars, fullTime, longDate } from '@/lib/format'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { userTextLine, userTextParagraphs } from '@/ui/user-text-styles'
import { BlurredMedia } from './BlurredMedia'

/** How a reported thing looked, the last time that it was seen; what it looked like before, on request. */
export function SnapshotList({ kind, snapshots }: { kind: SubjectKind; snapshots: readonly Snapshot[] }) {
  const [all, setAll] = useState(false)
  const last = snapshots.at(-1)
  if (!last) {
    return (
      <Box textStyle="small" color="muted">
        How it looked is not kept: the account is gone.
      </Box>
    )
  }
  const before = snapshots.slice(0, -1)
  return (
    <Box display="grid" gap="3">
      {(all ? snapshots : [last]).map((snapshot) => (
        <Look key={snapshots.indexOf(snapshot)} kind={kind} snapshot={snapshot} dated={all} />
      ))}
      {before.length > 0 && (
        <Button variant="link" size="sm" justifySelf="start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show how it looked last' : `It looked different before (${before.length})`}
        </Button>
      )}
    </Box>
  )
}

function Look({ kind, snapshot, dated }: { kind: SubjectKind; snapshot: Snapshot; dated: boolean }) {
  const { at, seen } = snapshot
  return (
    <Box
      as="blockquote"
      paddingInlineStart="3.5"
      borderInlineStartWidth="3px"
      borderInlineStartColor="outline"
      minWidth="0"
    >
      {dated && (
        <Box textStyle="caption" color="muted" marginBottom="1">
          As seen on {longDate(at)}
        </Box>
      )}
      {kind === 'user' ? <ProfileLook seen={seen} /> : <ThingLook seen={seen} />}
    </Box>
  )
}

type Seen = Snapshot['seen']

function ThingLook({ seen }: { seen: Seen }) {
  const product = Product.partial().safeParse(seen.product).data
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
        <Words>
          <Box as="span" color="muted">
            Teaser:{' '}
          </Box>
          {seen.teaser}
        </Words>
      )}
      {seen.content && <Words>{seen.content}</Words>}
      {product?.storeUrl && (
        <Box textStyle="small" color="muted" overflowWrap="anywhere" dir="ltr">
          {product.storeUrl}
        </Box>
      )}
      {seen.mediaType && seen.mediaId && (
        <BlurredMedia
          type={seen.mediaType}
          mediaId={seen.mediaId}
          posterId={seen.posterId}
          alt={seen.altText}
        />
      )}
      {(seen.premiumPrice !== undefined || seen.madeBy || seen.editedAt) && (
        <Box textStyle="caption" color="muted" marginTop="2">
          {[
            seen.premiumPrice !== undefined && `Premium, ${dollars(seen.premiumPrice)}`,
            seen.madeBy && 'written by a program',
            seen.editedAt && `edited ${fullTime(seen.editedAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Box>
      )}
    </>
  )
}

function ProfileLook({ seen }: { seen: Seen }) {
  const name = seen.fullName ?? seen.username ?? ''
  return (
    <Box display="flex" gap="3" alignItems="flex-start">
      <Avatar person={{ displayName: name, profileImageUrl: seen.profileImageUrl ?? null }} size="lg" />
      <Box minWidth="0">
        <Box textStyle="label" overflowWrap="anywhere" {...userTextLine}>
          {name}
        </Box>
        <Box textStyle="small" color="muted" overflowWrap="anywhere">
          @{seen.username}
        </Box>
        {seen.bio && <Words>{seen.bio}</Words>}
        {seen.website && (
          <Box textStyle="small" color="muted" overflowWrap="anywhere" dir="ltr">
            {seen.website}
          </Box>
        )}
      </Box>
    </Box>
  )
}

/** Characters of a text that are shown of it at first. */
const shownAtFirst = 600

function Words({ children }: { children: React.ReactNode }) {
  const [open, setOpen] = useState(false)
  const long = typeof children === 'string' && children.length > shownAtFirst
  return (
    <>
      <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
        {long && !open ? `${children.slice(0, shownAtFirst)}…` : children}
      </Box>
      {long && (
        <Button variant="link" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all of it'}
        </Button>
      )}
    </>
  )
}
