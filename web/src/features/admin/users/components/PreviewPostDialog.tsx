import { Box } from '@chakra-ui/react'
import { AutoPreview } from '@contract/auto-posting.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api, errorMessage } from '@/lib/api'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { formatCost } from '../../auto-posting/model'
import { userPath } from '../api'
import type { UserDialogProps } from './UserDialogs'

/** A draft as a program would post it in somebody's name. It is published nowhere and kept nowhere. */
export function PreviewPostDialog({ person, open, onClose, finalFocus }: UserDialogProps) {
  const turn = useId()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'preview', person.id, turn],
    queryFn: ({ signal }) =>
      api.post(userPath(person.id, '/auto-posting-preview'), {}, AutoPreview, { signal }),
    enabled: open,
    gcTime: 0,
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title="Draft of an auto-post"
      description={
        <>
          What could be posted in the name of <bdi>{displayName(person)}</bdi>. Nothing is published.
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Close
          </Button>
          {(data || isFetching) && (
            <Button
              variant="ember"
              pending={isFetching}
              pendingLabel="Writing…"
              onClick={() => void refetch()}
            >
              Write another
            </Button>
          )}
        </>
      }
    >
      <Box minHeight="9rem" paddingBlock="2">
        {isFetching && (
          <Loading label="Writing a draft">
            <SkeletonText lines={4} paddingBlock="4" />
          </Loading>
        )}
        {!isFetching && error && (
          <ErrorState
            title="No draft was written"
            message={errorMessage(error, 'The draft did not come. Please try again.')}
            onRetry={() => void refetch()}
          />
        )}
        <div role="status">{!isFetching && !error && data && <Draft draft={data} />}</div>
      </Box>
    </Dialog>
  )
}

function Draft({ draft: { content, model, cost, basedOn } }: { draft: AutoPreview }) {
  return (
    <>
      <Box
        padding="4"
        bg="sunken"
        borderRadius="md"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
      >
        {content}
      </Box>
      <Box textStyle="small" color="muted" marginTop="3">
        {basedOn === 'nothing'
          ? 'They have not agreed to auto-posting, so nothing of theirs was sent: the draft could be anybody’s.'
          : 'Written from their profile and latest posts.'}{' '}
        {model} · {formatCost(cost)}
      </Box>
    </>
  )
}
