import { Box } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { inlineErrorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { PlusIcon } from '@/ui/icons'
import { useRestoreFocus } from '@/ui/restore-focus'
import { userTextParagraphs } from '@/ui/UserText'
import { useNoteDraft, useSaveNote } from '../api/conversations'

/**
 * Shows the user's private note about another user or, if there is none, a button to add one. A note is saved when the
 * field loses the focus or the button is pressed. Until then, and if saving fails, the text is kept as a draft. If the
 * note was changed elsewhere, also shows the stored note, which is replaced only when the button is pressed.
 *
 * @param saved the stored note; empty if there is none
 */
export function NoteForm({ me, userId, saved }: { me: string; userId: string; saved: string }) {
  const { draft, writeDraft } = useNoteDraft(me, userId)
  const save = useSaveNote(me, userId)
  const readOnly = !!useCurrentUser().user?.readOnlyReason
  const container = useRef<HTMLDivElement>(null)
  const hintId = useId()
  // The field stays open when it is emptied.
  const [isOpen, setOpen] = useState(false)
  const text = draft?.text ?? saved
  const content = text.trim()
  const isDirty = content !== (save.isPending ? save.variables : saved)
  const hasConflict = draft !== null && draft.previous !== saved && isDirty && !save.isPending
  const hasButton = !readOnly && (isDirty || save.isPending)
  const isTooLong = countCharacters(content) > limits.userNote.max
  const maxLength = formatCount(limits.userNote.max)
  const error = hasConflict
    ? t`This note was changed elsewhere.`
    : (inlineErrorMessage(save.error, t`Couldn't save your note. Try again.`) ?? undefined)
  // The button disappears once the note is saved.
  useRestoreFocus(hasButton, () => container.current)
  const deleteUnchangedDraft = useEffectEvent(() => {
    if (draft && !isDirty && !save.isPending) writeDraft(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab saved the note or a request ended
  useEffect(() => deleteUnchangedDraft(), [saved, save.isPending])
  const submit = () => {
    if (!isDirty && !save.isPending) writeDraft(null)
    // Pressing the button also moves the focus out of the field.
    if (isDirty && !isTooLong && !readOnly) save.mutate(content)
  }
  if (!isOpen && !draft && saved === '' && !readOnly) {
    return (
      <Button variant="outline" size="sm" width="100%" onClick={() => setOpen(true)}>
        <PlusIcon /> {t`Add a note`}
      </Button>
    )
  }
  return (
    <Box
      ref={container}
      tabIndex={-1}
      outline="none"
      display="grid"
      gap="1"
      // Otherwise, a note that becomes empty would be replaced by the button while the user is in the form.
      onFocus={() => setOpen(true)}
      onBlur={({ target }) => target.matches('textarea') && !hasConflict && submit()}
    >
      <NoteField
        label={t`Private note`}
        aria-describedby={hintId}
        rows={3}
        value={text}
        autoFocus={isOpen}
        onChange={(next) => {
          setOpen(true)
          writeDraft(
            next === saved && !save.isPending ? null : { text: next, previous: draft?.previous ?? saved },
          )
          if (!save.isPending) save.reset()
        }}
        readOnly={readOnly}
        max={limits.userNote.max}
        tooLong={t`A note can have at most ${maxLength} characters.`}
        error={error}
      />
      {hasConflict && (
        <Box textStyle="small">
          <Box color="muted">{t`Saved note`}</Box>
          <Box {...userTextParagraphs}>{saved || t`None`}</Box>
        </Box>
      )}
      {/* As high as the button, so that nothing moves when the button appears. */}
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="2" minHeight={{ base: 'target', md: '9' }}>
        {!error && !isTooLong && (
          <Box id={hintId} flex="1" textStyle="small" color="muted">
            {t`Only you can see this note.`}
          </Box>
        )}
        {hasButton && (
          <Button
            variant="outline"
            size="sm"
            disabled={isTooLong}
            aria-busy={save.isPending}
            onClick={() => {
              if (hasConflict) writeDraft({ text, previous: saved })
              submit()
            }}
          >
            {save.isPending ? t`Saving…` : hasConflict ? t`Save my version` : t`Save`}
          </Button>
        )}
        {hasConflict && (
          <Button variant="ghost" size="sm" onClick={() => writeDraft(null)}>
            {t`Discard`}
          </Button>
        )}
        <Box role="status" textStyle="small" color="muted">
          {save.isSuccess && !isDirty && t`Saved`}
        </Box>
      </Box>
    </Box>
  )
}
