import { SuspendUserRequest } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText } from '@/lib/errors'
import { useLeaveGuard } from '@/lib/leave-guard'
import { SelectField, TextareaField } from '@/ui/Field'
import { FormDialog } from '../../components/FormDialog'
import { durationText, suspensionDayOptions, untilLiftedOption } from '../../moderation/model'

/** The schema of the form. `days` is the value of the selected option. */
const SuspensionForm = SuspendUserRequest.extend({
  days: z
    .string()
    .transform((option) => (option === untilLiftedOption ? null : Number(option)))
    .pipe(SuspendUserRequest.shape.days),
})

/** Asks for the reason and the length of a suspension of one or more users. */
export function SuspensionDialog({
  title,
  description,
  open,
  onClose,
  finalFocus,
  isPending,
  discardText = t`The user hasn't been suspended.`,
  onSubmit,
}: {
  title: string
  description: ReactNode
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  isPending: boolean
  /** The text of the dialog that asks before it discards the reason. */
  discardText?: string
  onSubmit: (request: SuspendUserRequest) => void
}) {
  const {
    control,
    register,
    handleSubmit,
    clearErrors,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(SuspensionForm),
    defaultValues: { reason: '', days: '7' },
    reValidateMode: 'onSubmit',
  })
  const isDirty = useWatch({ control, name: 'reason' }).trim() !== ''
  const guard = useLeaveGuard(open && isDirty)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={title}
      description={description}
      submitLabel={t`Suspend`}
      danger
      isDirty={isDirty}
      guard={guard}
      onSubmit={handleSubmit(onSubmit)}
      isPending={isPending}
      discardText={discardText}
    >
      <TextareaField
        label={t`Reason`}
        hint={t`The user sees this text and can appeal once.`}
        maxLength={limits.moderationReason.max}
        error={fieldErrorText(errors.reason)}
        dir="auto"
        {...register('reason', { onChange: () => clearErrors('reason') })}
      />
      <SelectField label={t`Duration`} {...register('days')}>
        {suspensionDayOptions.map((count) => (
          <option key={count} value={count}>
            {durationText(count)}
          </option>
        ))}
        <option value={untilLiftedOption}>{t`Until lifted`}</option>
      </SelectField>
    </FormDialog>
  )
}
