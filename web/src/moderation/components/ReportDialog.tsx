import { chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type ReportReason, ReportRequest, reportReasons } from '@contract/moderation.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { isolateBidi } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { NoteField } from '@/ui/Field'
import { CheckboxField, RadioGroup } from '@/ui/RadioGroup'
import { ErrorText } from '@/ui/states'
import { useSendReport } from '../api'
import type { ReportSubject } from '../dialogs'

const ReportForm = ReportRequest.pick({ reason: true, note: true }).extend({ block: z.boolean() })

/** Shows the form for reporting a subject to the moderators. If sending the report fails, the form keeps its input. */
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
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(ReportForm),
    defaultValues: { note: '', block: false },
  })
  const note = useWatch({ control, name: 'note' })
  const { send, isPending, failure } = useSendReport(subject, onClose)
  const { name } = subject.user
  const { max } = limits.reportNote
  const maxNoteLength = formatCount(max)
  const reasonOptions = Object.entries(reportReasons).map(([value, label]) => ({
    value: value as ReportReason,
    label: translateServerText(label),
  }))

  const submit = handleSubmit((values) => {
    if (open && !isPending) send(values)
  })
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty: Boolean(note?.trim()),
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
          <Controller
            control={control}
            name="reason"
            render={({ field, fieldState }) => (
              <RadioGroup
                label={t`What’s wrong?`}
                options={reasonOptions}
                value={field.value ?? null}
                onChange={field.onChange}
                firstRef={field.ref}
                error={fieldState.invalid ? t`Choose a reason.` : undefined}
              />
            )}
          />
          <Controller
            control={control}
            name="note"
            render={({ field }) => (
              <NoteField
                ref={field.ref}
                label={t`Note`}
                rows={2}
                placeholder={t`Add details for the moderators (optional)`}
                value={field.value ?? ''}
                onChange={field.onChange}
                max={max}
                tooLong={t`A note can have at most ${maxNoteLength} characters.`}
              />
            )}
          />
          {!subject.isBlocked && (
            <Controller
              control={control}
              name="block"
              render={({ field }) => (
                <CheckboxField
                  label={
                    <Trans>
                      Also block <bdi>{name}</bdi>
                    </Trans>
                  }
                  hint={t`You won’t see each other’s posts or profiles, and neither of you can follow or message the other.`}
                  checked={field.value}
                  onChange={field.onChange}
                />
              )}
            />
          )}
          <ErrorText>{!isPending && failure}</ErrorText>
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
