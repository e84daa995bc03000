import { Box } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { inlineErrorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { useRestoreFocus } from '@/ui/restore-focus'
import { userTextParagraphs } from '@/ui/UserText'
import { useNoteDraft, useSaveNote } from '../api/conversations'

/**
 * Shows the user's private note about another user. It is saved when the field loses the focus or the button is
 * pressed. Until then, and if saving fails, the text is kept as a draft. If the note was changed elsewhere, also shows
 * the stored note, which is replaced only when the button is pressed.
 *
 * @param saved the stored note; empty if there is none
 */
export function NoteForm({ me, userId, saved }: { me: string; userId: string; saved: string }) {
  const { draft, writeDraft } = useNoteDraft(me, userId)
  const save = useSaveNote(me, userId)
  const readOnly = !!useCurrentUser().user?.readOnlyReason
  const container = useRef<HTMLDivElement>(null)
  const text = draft?.text ?? saved
  const content = text.trim()
  const isDirty = content !== (save.isPending ? save.variables : saved)
  const hasConflict = draft !== null && draft.previous !== saved && isDirty && !save.isPending
  const hasButton = !readOnly && (isDirty || save.isPending)
  const isTooLong = countCharacters(content) > limits.userNote.max
  const maxLength = formatCount(limits.userNote.max)
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
  return (
    <Box
      ref={container}
      tabIndex={-1}
      outline="none"
      display="grid"
      gap="2"
      onBlur={({ target }) => target.matches('textarea') && !hasConflict && submit()}
    >
      <NoteField
        label={t`Private note`}
        hint={t`Only you can see this note.`}
        rows={3}
        value={text}
        onChange={(next) => {
          writeDraft(
            next === saved && !save.isPending ? null : { text: next, previous: draft?.previous ?? saved },
          )
          if (!save.isPending) save.reset()
        }}
        readOnly={readOnly}
        max={limits.userNote.max}
        tooLong={t`A note can have at most ${maxLength} characters.`}
        error={
          hasConflict
            ? t`This note was changed elsewhere.`
            : (inlineErrorMessage(save.error, t`Couldn't save your note. Try again.`) ?? undefined)
        }
      />
      {hasConflict && (
        <Box textStyle="small">
          <Box color="muted">{t`Saved note`}</Box>
          <Box {...userTextParagraphs}>{saved || t`None`}</Box>
        </Box>
      )}
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="2" minHeight={{ base: 'target', md: '9' }}>
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
