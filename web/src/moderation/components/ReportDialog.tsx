import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type ReportReason, reportReasons } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, useId, useRef, useState } from 'react'
import { translateServerText } from '@/lib/api'
import { formatCount } from '@/lib/format'
import { isolateBidi } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { NoteField, textLength } from '@/ui/Field'
import { CheckboxField, RadioGroup } from '@/ui/RadioGroup'
import { useSendReport } from '../api'
import type { ReportSubject } from '../dialogs'

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
  const maxNoteLength = formatCount(max)
  const reasonOptions = Object.entries(reportReasons).map(([value, label]) => ({
    value: value as ReportReason,
    label: translateServerText(label),
  }))

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
        title={dialogTitle(subject)}
        description={
          <Trans>
            Our moderators will review this. <bdi>{name}</bdi> won’t know who reported it. Follow it under My
            reports.
          </Trans>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              {t`Cancel`}
            </Button>
            <Button
              type="submit"
              form={formId}
              variant="ember"
              pending={isPending}
              pendingLabel={t`Sending…`}
            >
              {t`Send report`}
            </Button>
          </>
        }
      >
        <chakra.form id={formId} noValidate onSubmit={submit} display="grid" gap="5" paddingBlock="1">
          <RadioGroup
            label={t`What’s wrong?`}
            options={reasonOptions}
            value={reason}
            onChange={setReason}
            firstRef={firstReasonInput}
            error={isSubmitted && !reason ? t`Choose a reason.` : undefined}
          />
          <NoteField
            label={t`Note`}
            rows={2}
            placeholder={t`Add details for the moderators (optional)`}
            value={note}
            onChange={setNote}
            max={max}
            tooLong={t`A note can have at most ${maxNoteLength} characters.`}
          />
          {!subject.isBlocked && (
            <CheckboxField
              label={
                <Trans>
                  Also block <bdi>{name}</bdi>
                </Trans>
              }
              hint={t`You won’t see each other’s posts or profiles, and neither of you can follow or message the other.`}
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
      <DiscardDialog confirmation={confirmation} text={t`Your report hasn’t been sent.`} />
    </>
  )
}

function dialogTitle({ kind, user }: ReportSubject): string {
  const name = isolateBidi(user.name)
  switch (kind) {
    case 'post':
      return t`Report this post`
    case 'comment':
      return t`Report this comment`
    case 'message':
      return t`Report this message`
    case 'user':
      return t`Report ${name}`
  }
}
