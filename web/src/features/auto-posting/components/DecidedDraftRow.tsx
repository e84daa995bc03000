import { Box } from '@chakra-ui/react'
import type { AutoDraft } from '@contract/auto-posting.ts'
import { fullTime, timeAgo } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { TextLink } from '@/ui/layout'
import { userTextParagraphs } from '@/ui/user-text-styles'

const states = {
  waiting: ['Waiting', 'gold'],
  published: ['Published', 'success'],
  discarded: ['Discarded', 'neutral'],
  expired: ['Expired', 'neutral'],
} as const

/** A draft that waits no longer, and what became of it. */
export function DecidedDraftRow({
  draft: { id, content, state, decidedAt, createdAt },
}: {
  draft: AutoDraft
}) {
  const now = useNow()
  const at = decidedAt ?? createdAt
  const [word, tone] = states[state]
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="center" gap="2" textStyle="small" color="muted">
        <Badge tone={tone}>{word}</Badge>
        <time dateTime={at} title={fullTime(at)}>
          {timeAgo(at, now)}
        </time>
        {/* Published, a draft becomes a post of the same id. */}
        {state === 'published' && <TextLink to={paths.post.getHref(id)}>View post</TextLink>}
      </Box>
      <Box
        textStyle="small"
        color="muted"
        marginTop="1.5"
        lineClamp="3"
        overflowWrap="anywhere"
        {...userTextParagraphs}
      >
        {content}
      </Box>
    </Box>
  )
}
