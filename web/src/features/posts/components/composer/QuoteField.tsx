import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { isNotFound } from '@/lib/errors'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { findPost, postQuery } from '../../api/posts'
import { changePostDraft } from '../../post-draft'
import { QuotedPostCard, toQuotedPost } from '../QuotedPostCard'

/** Shows the post that a draft quotes, with a button that removes it from the draft. */
export function QuoteField({
  userId,
  quotedPostId,
  disabled,
  fallbackFocusTarget,
}: {
  userId: string
  quotedPostId: string
  disabled: boolean
  /** Receives the focus when the quoted post is removed. */
  fallbackFocusTarget: RefObject<HTMLElement | null>
}) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...postQuery(quotedPostId),
    placeholderData: () => findPost(client, quotedPostId),
  })
  const remove = () => {
    changePostDraft(userId, { quotedPostId: null })
    fallbackFocusTarget.current?.focus()
  }
  return (
    <Box role="group" aria-label={t`Quoted post`} display="flex" alignItems="start" gap="1" marginTop="2.5">
      <Box flex="1" minWidth="0">
        {isNotFound(error) ? (
          <QuotedPostCard quoted={{ available: false }} />
        ) : data ? (
          <>
            <QuotedPostCard quoted={toQuotedPost(data)} preview />
            {!data.canQuote && (
              <Box role="alert" marginTop="1.5" textStyle="small" color="danger.text">
                <Trans>This post can't be quoted. Remove it to publish your own post.</Trans>
              </Box>
            )}
          </>
        ) : error ? (
          <InlineError text={t`Couldn't load the quoted post.`} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="5rem" borderRadius="md" />
        )}
      </Box>
      <Box marginInlineEnd="-3">
        <IconButton label={t`Remove quoted post`} disabled={disabled} onClick={remove}>
          <CloseIcon />
        </IconButton>
      </Box>
    </Box>
  )
}
