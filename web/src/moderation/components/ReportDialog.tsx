import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type ReportReason, reportReasons } from '@contract/moderation.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { isolateBidi } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { NoteField, textLength } from '@/ui/Field'
import { CheckboxField, RadioGroup } from '@/ui/RadioGroup'
import { useSendReport } from '../api'
import type { ReportSubject } from '../dialogs'

const reasonOptions = Object.entries(reportReasons).map(([value, label]) => ({
  value: value as ReportReason,
  label,
}))

/** Shows the form that reports a subject to the moderators. A failed report keeps the form's input. */
export default function ReportDialog({
  subject,
  open,
  onClose,
}: {
  subject: ReportSubject
  open: boolean
  onClose: () => void
}) {
  const formId = useId()
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const [block, setBlock] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const firstReasonInput = useRef<HTMLInputElement>(null)
  const { send, isPending, failure } = useSendReport(subject, onClose)
  const { name } = subject.user
  const { max } = limits.reportNote

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (!reason) firstReasonInput.current?.focus()
    if (!reason || textLength(note) > max || isPending || !open) return
    send({ reason, note: note.trim(), block })
  }
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty: note.trim() !== '',
    busy: isPending,
    onClose,
    finalFocus: subject.finalFocus,
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={subject.finalFocus}
        title={subject.kind === 'user' ? `Report ${isolateBidi(name)}` : `Report this ${subject.kind}`}
        description={
          <>
            The moderators look at {subject.kind === 'user' ? 'the profile' : 'it'} as it is now, and decide.{' '}
            <bdi>{name}</bdi> is not told who reported it. What became of it stands in My reports.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" form={formId} variant="ember" pending={isPending} pendingLabel="Sending…">
              Send report
            </Button>
          </>
        }
      >
        <chakra.form id={formId} noValidate onSubmit={submit} display="grid" gap="5" paddingBlock="1">
          <RadioGroup
            label="What is wrong?"
            options={reasonOptions}
            value={reason}
            onChange={setReason}
            firstRef={firstReasonInput}
            error={isSubmitted && !reason ? 'Please choose a reason.' : undefined}
          />
          <NoteField
            label="Note"
            rows={2}
            placeholder="What the moderators should know, if you like"
            value={note}
            onChange={setNote}
            max={max}
            tooLong={`A note can have at most ${max} characters.`}
          />
          {!subject.isBlocked && (
            <CheckboxField
              label={
                <>
                  Also block <bdi>{name}</bdi>
                </>
              }
              hint="You will not see each other’s profiles and posts, and neither can follow or write to the other."
              checked={block}
              onChange={setBlock}
            />
          )}
          {failure && !isPending && (
            <Box role="alert" textStyle="small" color="danger.text">
              {failure}
            </Box>
          )}
        </chakra.form>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text="Nothing was reported, and it is not kept." />
    </>
  )
}
