import { Box } from '@chakra-ui/react'
import type { AiKey } from '@contract/auto-posting.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { errorMessage } from '@/lib/errors'
import { fullTime } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { AlertIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { sectionHeading, useFocusAfterRemoval, useRestoreFocus } from '@/ui/restore-focus'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { aiKeyQuery, useRemoveAiKey, useTestRun } from '../api'
import { describeRuns } from '../model'
import { AiKeyForm, AiKeyValue } from './AiKeyForm'

/** Shows whether an AI provider key is configured, with the actions to manage it. */
export function AiKeyCard() {
  const id = useId()
  const { data, error, isError, refetch } = useQuery(aiKeyQuery)
  return (
    <Card
      as="section"
      aria-labelledby={id}
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="1"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap={{ base: '2', md: '4' }}
      rowGap="1"
    >
      <Box
        display="flex"
        flex={{ lg: data?.hasKey ? 'none' : '1 1 0' }}
        flexWrap={{ base: 'wrap', lg: 'nowrap' }}
        alignItems="center"
        columnGap={{ base: '2', md: '2.5' }}
        minWidth="0"
        minHeight="9"
      >
        <Box as="h2" id={id} textStyle="label" flexShrink="0">
          {t`AI provider key`}
        </Box>
        {data && (
          <Badge tone={statusTone(data)} flexShrink="0">
            {data.hasKey ? t`Configured` : t`Not configured`}
          </Badge>
        )}
        {!data?.hasKey && (
          <Box textStyle="small" lineHeight="snug" color="muted" minWidth="0" hideBelow="lg">
            {t`Used to write auto-posts for creators who opted in.`}
          </Box>
        )}
      </Box>
      {data && <AiKeyControls aiKey={data} />}
      {!data && isError && (
        <InlineError
          text={errorMessage(error, t`Couldn't load the API key. Try again.`)}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !isError && (
        <Loading label={t`Loading API key`}>
          <Skeleton height="9" width="8rem" borderRadius="full" />
        </Loading>
      )}
    </Card>
  )
}

function statusTone({ hasKey, refusedAt }: { hasKey: boolean; refusedAt: string | null }) {
  if (!hasKey) return 'neutral'
  return refusedAt ? 'danger' : 'success'
}

/** Shows the masked key with its actions, the form to change it, or a button to add a key. */
function AiKeyControls({ aiKey }: { aiKey: AiKey }) {
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const content = editing ? 'form' : aiKey.hasKey ? 'key' : 'no key'
  // When the form closes, the focus moves to the button that opens it, which is a new element after the first key is
  // saved. When a key is removed, `KeyActions` moves the focus.
  useRestoreFocus(content, (before) => (before === 'key' ? null : editButton.current))
  if (editing) {
    return (
      <Box flexBasis="100%" minWidth="0" paddingBottom="2">
        <AiKeyForm isReplacement={aiKey.hasKey} onDone={() => setEditing(false)} />
      </Box>
    )
  }
  if (!aiKey.hasKey) {
    return (
      <Button
        ref={editButton}
        variant="outline"
        size="sm"
        paddingInline="3.5"
        onClick={() => setEditing(true)}
      >
        {t`Add API Key`}
      </Button>
    )
  }
  return (
    <Box
      // Placed beside the heading if both fit.
      flex={{ base: '1 1 100%', lg: '1 1 42rem' }}
      minWidth="0"
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) auto' }}
      columnGap="4"
      rowGap="3"
      paddingBlock="1"
    >
      {aiKey.refusedAt && <KeyRejectedAlert rejectedAt={aiKey.refusedAt} />}
      <AiKeyValue key={aiKey.setAt} mask={aiKey.apiKey ?? ''} />
      <KeyActions
        editButton={
          <Button ref={editButton} variant="outline" size="sm" onClick={() => setEditing(true)}>
            {t`Edit`}
          </Button>
        }
      />
    </Box>
  )
}

function KeyActions({ editButton }: { editButton: ReactNode }) {
  const [confirming, setConfirming] = useState<'test' | 'removal' | null>(null)
  const close = () => setConfirming(null)
  const { test, isPending: isTesting, round } = useTestRun()
  const { remove, isPending: isRemoving } = useRemoveAiKey(close)
  const result = round && describeRuns(round.runs)
  const focusHandlers = useFocusAfterRemoval((actions) => [sectionHeading(actions)])
  return (
    <div {...focusHandlers}>
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="2" minHeight={{ lg: '12' }}>
        {editButton}
        <Button
          variant="outline"
          size="sm"
          pending={isTesting}
          pendingLabel={t`Posting…`}
          onClick={() => setConfirming('test')}
        >
          {t`Test Auto-Post`}
        </Button>
        <Button variant="ghost" size="sm" color="danger.text" onClick={() => setConfirming('removal')}>
          {t`Remove`}
        </Button>
      </Box>
      {(isTesting || round) && (
        <Box textStyle="small" color="muted" marginTop="3" overflowWrap="anywhere">
          {isTesting ? (
            <Trans>Writing a post for each creator who opted in. This may take a minute.</Trans>
          ) : (
            result && t`Last test: ${result}`
          )}
        </Box>
      )}
      <ConfirmDialog
        open={confirming === 'test'}
        onClose={close}
        onConfirm={() => {
          close()
          test()
        }}
        title={t`Publish a post for each creator?`}
        text={t`AI writes a post for each creator who opted in. The posts are public and not marked as tests. Creators who approve posts first get a draft instead.`}
        confirmLabel={t`Publish posts`}
        danger={false}
      />
      <ConfirmDialog
        open={confirming === 'removal'}
        onClose={() => !isRemoving && close()}
        onConfirm={remove}
        pending={isRemoving}
        title={t`Remove the API key?`}
        text={t`Auto-posting is paused until you add another key. Drafts that wait for approval are kept.`}
        confirmLabel={t`Remove API key`}
      />
    </div>
  )
}

function KeyRejectedAlert({ rejectedAt }: { rejectedAt: string }) {
  const time = <time dateTime={rejectedAt}>{fullTime(rejectedAt)}</time>
  return (
    <Box
      role="alert"
      gridColumn="1 / -1"
      display="flex"
      gap="2.5"
      padding="3.5"
      bg="danger.wash"
      color="danger.text"
      borderRadius="md"
      textStyle="small"
    >
      <Box as="span" fontSize="lg" flexShrink={0}>
        <AlertIcon />
      </Box>
      <span>
        <Trans>
          The provider rejected this API key on {time}. Auto-posting is paused until you replace the key or a
          test succeeds.
        </Trans>
      </span>
    </Box>
  )
}
