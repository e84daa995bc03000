import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { Link } from 'react-router-dom'
import { dollars, fullTime } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Badge } from '@/ui/Badge'
import { PostTime } from '@/ui/PostTime'
import { userTextLine } from '@/ui/user-text-styles'
import { unlockPrice } from '../model'
import { AiBadge } from './AiBadge'
import { PostMenu } from './PostMenu'

const Name = chakra(Link, {
  base: {
    textStyle: 'label',
    borderRadius: 'xs',
    minWidth: '0',
    maxWidth: '100%',
    truncate: true,
    _hover: { textDecoration: 'underline' },
  },
})
const When = chakra(Link, {
  base: { color: 'muted', borderRadius: 'xs', whiteSpace: 'nowrap', _hover: { textDecoration: 'underline' } },
})

/**
 * Who posted it and when, what kind of post it is, and what else can be done with it. On a small screen the name comes
 * first: what finds no room beside it stands below it.
 */
export function PostHeader({ post, onDeleted }: { post: Post; onDeleted?: () => void }) {
  return (
    <Box display="flex" alignItems="flex-start" gap="2" minHeight="6">
      <Box
        display="flex"
        flexWrap={{ base: 'wrap', sm: 'nowrap' }}
        alignItems="center"
        columnGap="2"
        flex="1"
        minWidth="0"
        minHeight="6"
      >
        <Name to={paths.profile.getHref(post.user.handle)} {...userTextLine}>
          {displayName(post.user)}
        </Name>
        {post.user.isAdmin && <Badge tone="neutral">Admin</Badge>}
        <Box
          as="span"
          textStyle="small"
          color="muted"
          flex="1 1 0"
          maxWidth="max-content"
          minWidth="0"
          truncate
          hideBelow="sm"
        >
          @{post.user.handle}
        </Box>
        <Dot hideBelow="sm" />
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
        {post.madeByAi && <AiBadge post={post} />}
      </Box>
      <Box marginBlock="-2.5" marginInlineEnd="-2">
        <PostMenu post={post} onDeleted={onDeleted} />
      </Box>
    </Box>
  )
}

function Dot({ hideBelow }: { hideBelow?: 'sm' }) {
  return (
    <Box as="span" textStyle="small" color="muted" hideBelow={hideBelow} aria-hidden>
      ·
    </Box>
  )
}

/** Its author also reads what it costs; for everybody else a locked post names its price where it is paid. */
function PremiumBadge({ post }: { post: Post }) {
  return (
    <Badge tone="gold" fontVariantNumeric="tabular-nums">
      {post.mine ? `PREMIUM ${dollars(unlockPrice(post))}` : 'PREMIUM'}
    </Badge>
  )
}
