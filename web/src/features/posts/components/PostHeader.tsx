import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { Link } from 'react-router-dom'
import { fullTime } from '@/lib/format'
import { displayName } from '@/lib/person'
import { paths } from '@/paths'
import { Badge } from '@/ui/CountBadge'
import { PostTime } from '@/ui/PostTime'
import { ownLine } from '@/ui/words'
import { dollars, priceOf } from './locked/price'
import { PostMenu } from './PostMenu'

const Name = chakra(Link, {
  base: {
    textStyle: 'label',
    borderRadius: 'xs',
    minWidth: '0',
    truncate: true,
    _hover: { textDecoration: 'underline' },
  },
})
const When = chakra(Link, {
  base: { color: 'muted', borderRadius: 'xs', whiteSpace: 'nowrap', _hover: { textDecoration: 'underline' } },
})

/** Who posted it and when, what kind of post it is, and what else can be done with it. */
export function PostHeader({ post, onDeleted }: { post: Post; onDeleted?: () => void }) {
  return (
    <Box display="flex" alignItems="center" gap="2" minHeight="6">
      <Name to={paths.profile.getHref(post.user.handle)} {...ownLine}>
        {displayName(post.user)}
      </Name>
      {post.user.isAdmin && <Badge tone="neutral">Admin</Badge>}
      <Box as="span" textStyle="small" color="muted" minWidth="0" truncate flexShrink={999} hideBelow="sm">
        @{post.user.handle}
      </Box>
      <Dot />
      <Box as="span" textStyle="small" flexShrink={0}>
        <When to={paths.post.getHref(post.id)}>
          <PostTime at={post.createdAt} />
        </When>
      </Box>
      {post.editedAt && (
        <>
          <Dot />
          <Box as="span" textStyle="small" color="muted" title={`Edited ${fullTime(post.editedAt)}`}>
            edited
          </Box>
        </>
      )}
      {post.isPremium && <PremiumBadge post={post} />}
      <Box marginInlineStart="auto" marginBlock="-2.5" marginInlineEnd="-2">
        <PostMenu post={post} onDeleted={onDeleted} />
      </Box>
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

/** Its author also reads what it costs; for everybody else a locked post names its price where it is paid. */
function PremiumBadge({ post }: { post: Post }) {
  return (
    <Badge tone="gold" fontVariantNumeric="tabular-nums">
      {post.mine ? `PREMIUM ${dollars(priceOf(post))}` : 'PREMIUM'}
    </Badge>
  )
}
