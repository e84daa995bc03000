import { Box } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { inlineErrorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { useRestoreFocus } from '@/ui/restore-focus'
import { useNoteDraft, useSaveNote } from '../api/conversations'

/**
 * Shows the user's private note about another user. It is saved when the field loses the focus or the button is
 * pressed. Until then, and if saving fails, the text is kept as a draft.
 *
 * @param saved the stored note; empty if there is none
 */
export function NoteForm({ me, userId, saved }: { me: string; userId: string; saved: string }) {
  const draft = useNoteDraft(me, userId)
  const save = useSaveNote(me, userId)
  const container = useRef<HTMLDivElement>(null)
  const text = draft.text ?? saved
  const content = text.trim()
  const isDirty = content !== saved
  const isTooLong = countCharacters(content) > limits.userNote.max
  const maxLength = formatCount(limits.userNote.max)
  // The button disappears once the note is saved.
  useRestoreFocus(isDirty, () => container.current)
  const submit = () => {
    if (!isDirty) draft.write(null)
    // Pressing the button also moves the focus out of the field.
    if (!isDirty || isTooLong || (save.isPending && save.variables === content)) return
    save.mutate(content)
  }
  return (
    <Box
      ref={container}
      tabIndex={-1}
      outline="none"
      display="grid"
      gap="2"
      onBlur={({ target }) => target.matches('textarea') && submit()}
    >
      <NoteField
        label={t`Private note`}
        hint={t`Only you can see this note.`}
        rows={3}
        value={text}
        onChange={(next) => {
          draft.write(next === saved ? null : next)
          if (!save.isPending) save.reset()
        }}
        max={limits.userNote.max}
        tooLong={t`A note can have at most ${maxLength} characters.`}
        error={inlineErrorMessage(save.error, t`Couldn't save your note. Try again.`) ?? undefined}
      />
      <Box role="status" textStyle="small" color="muted" _empty={{ display: 'none' }}>
        {save.isSuccess && !isDirty && t`Saved`}
      </Box>
      {isDirty && (
        <Button
          variant="outline"
          size="sm"
          justifySelf="start"
          disabled={isTooLong}
          pending={save.isPending}
          pendingLabel={t`Saving…`}
          onClick={submit}
        >
          {t`Save`}
        </Button>
      )}
    </Box>
  )
}
