import { Box } from '@chakra-ui/react'
import { type AutoDraft, PublishDraftRequest } from '@contract/auto-posting.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { useTextDraft } from '@/lib/storage'
import { fullTime, timeUntil, useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { NoteField } from '@/ui/Field'
import { sectionHeading, useFocusAfterRemoval } from '@/ui/restore-focus'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { useDecideDraft } from '../api'

/** Shows a draft that awaits the creator's decision, with buttons that publish, edit or discard it. */
export function DraftCard({ draft, userId }: { draft: AutoDraft; userId: string }) {
  /** The creator's version of the text; null while it is not being edited. */
  const editedText = useTextDraft(userId, `draft:auto-post:${draft.id}`)
  const [isConfirmingDiscard, setIsConfirmingDiscard] = useState(false)
  const [error, setError] = useState<string>()
  const isEditing = editedText.text !== null
  const field = useRef<HTMLTextAreaElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const focusAfterToggle = useRef<'field' | 'editButton'>(undefined)
  useEffect(() => {
    if (focusAfterToggle.current) (isEditing ? field : editButton).current?.focus()
    focusAfterToggle.current = undefined
  }, [isEditing])
  const { publish, discard, isPublishing, isDiscarding } = useDecideDraft(draft, () => {
    editedText.write(null)
    setIsConfirmingDiscard(false)
  })
  const focusHandlers = useFocusAfterRemoval((card) => [sectionHeading(card)])
  const publishIfValid = () => {
    if (editedText.text === null) return publish(undefined)
    const request = PublishDraftRequest.safeParse({ content: editedText.text })
    const problem = request.error?.issues[0]?.message
    setError(problem && translateServerText(problem))
    if (request.success) publish(request.data.content)
    else field.current?.focus()
  }
  const maxLength = formatCount(limits.postContent.max)
  const toggleEditing = () => {
    focusAfterToggle.current = isEditing ? 'editButton' : 'field'
    setError(undefined)
    editedText.write(isEditing ? null : draft.content)
  }
  return (
    <Box as="li" padding={{ base: '4', md: '5' }} borderTopWidth="1px" {...focusHandlers}>
      {editedText.text === null ? (
        <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
          {draft.content}
        </Box>
      ) : (
        <NoteField
          ref={field}
          label={t`Post text`}
          rows={5}
          value={editedText.text}
          max={limits.postContent.max}
          tooLong={t`A post can have at most ${maxLength} characters.`}
          error={error}
          onChange={(text) => {
            setError(undefined)
            editedText.write(text)
          }}
        />
      )}
      <Box textStyle="small" color="muted" marginTop="3">
        <DraftTimes draft={draft} />
      </Box>
      <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
        <Button
          variant="tinted"
          size="sm"
          pending={isPublishing}
          pendingLabel={t`Publishing…`}
          disabled={isDiscarding}
          onClick={publishIfValid}
        >
          {t`Publish`}
        </Button>
        <Button
          ref={editButton}
          variant="outline"
          size="sm"
          disabled={isPublishing || isDiscarding}
          onClick={toggleEditing}
        >
          {isEditing ? t`Undo changes` : t`Edit`}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          color="danger.text"
          disabled={isPublishing}
          onClick={() => setIsConfirmingDiscard(true)}
        >
          {t`Discard`}
        </Button>
      </Box>
      <ConfirmDialog
        open={isConfirmingDiscard}
        onClose={() => !isDiscarding && setIsConfirmingDiscard(false)}
        onConfirm={discard}
        pending={isDiscarding}
        title={t`Discard this draft?`}
        text={t`It won’t be published. You can’t undo this.`}
        confirmLabel={t`Discard draft`}
      />
    </Box>
  )
}

function DraftTimes({ draft: { createdAt, expiresAt } }: { draft: AutoDraft }) {
  const now = useNow()
  const timeLeft = timeUntil(expiresAt, now)
  return (
    <Trans>
      Written <TimeAgo at={createdAt} /> · expires{' '}
      <time dateTime={expiresAt} title={fullTime(expiresAt)}>
        {timeLeft}
      </time>
    </Trans>
  )
}
