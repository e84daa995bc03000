import { Box, chakra } from '@chakra-ui/react'
import type { InstanceSettings } from '@contract/admin.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ChangeEvent, ComponentProps } from 'react'
import { useForm } from 'react-hook-form'
import { create } from 'zustand'
import { fieldErrorText } from '@/lib/errors'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { TextareaField, TextField } from '@/ui/Field'
import { SavedNotice, useSavedNotice } from '@/ui/SavedNotice'
import { Section } from '../../components/Section'
import { useChangeSettings } from '../api'
import {
  changedFields,
  parseWordList,
  type SettingField,
  type SettingsFormValues,
  settingLabels,
  settingsForm,
  settingsFormValues,
} from '../model'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(auto-fit, minmax(13rem, 1fr))' },
    gap: '4',
    alignItems: 'start',
  },
})

/** Shows the settings of auto-posting: daily limits, hours, model, prices and banned words. */
export function AutoPostingSection({ settings }: { settings: InstanceSettings }) {
  const form = useSettingsForm(settings)
  const textField = (name: SettingField, props: Partial<ComponentProps<typeof TextField>> = {}) => (
    <TextField label={t(settingLabels[name])} {...form.field(name)} {...props} />
  )
  const numberField = (name: SettingField, hint?: string) => textField(name, { inputMode: 'decimal', hint })
  const wordCount = parseWordList(form.values.bannedWords).length
  return (
    <Section
      title={t`Auto-posting`}
      text={
        <Trans>
          AI-written posts for creators who opted in. Daily limits reset at midnight in the time zone below.
        </Trans>
      }
    >
      <chakra.form
        noValidate
        aria-label={t`Auto-posting settings`}
        display="grid"
        gap="4"
        onSubmit={form.save}
      >
        <Grid>
          {numberField('maxPostsPerDay')}
          {numberField('maxPostsPerCreator')}
          {numberField('maxCostPerDay', t`Maximum in US dollars`)}
        </Grid>
        <Grid>
          {numberField('fromHour', t`0 to 23`)}
          {numberField('toHour', t`1 to 24`)}
          {textField('timeZone', { hint: t`For example, Europe/Berlin` })}
        </Grid>
        <Grid>
          {textField('model')}
          {numberField('inputPrice', t`US dollars per million tokens`)}
          {numberField('outputPrice', t`US dollars per million tokens`)}
        </Grid>
        <TextareaField
          label={t(settingLabels.bannedWords)}
          hint={t`One per line. Posts with any of these words aren't published.`}
          aside={
            <Box textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
              {t`${plural(wordCount, { one: '# word', other: '# words' })}`}
            </Box>
          }
          rows={5}
          {...form.field('bannedWords')}
        />
        <SettingsFormFooter form={form} />
      </chakra.form>
    </Section>
  )
}

/** Shows the buttons that save or discard the changes, and asks before the user leaves with unsaved changes. */
function SettingsFormFooter({
  form: { isDirty, isPending, isJustSaved, discard, guard },
}: {
  form: SettingsForm
}) {
  return (
    <>
      <Box display="flex" flexWrap="wrap" alignItems="center" justifyContent="flex-end" gap="3">
        <SavedNotice isVisible={isJustSaved} />
        {isDirty && (
          <Button variant="ghost" onClick={discard} disabled={isPending}>
            {t`Discard`}
          </Button>
        )}
        <Button
          type="submit"
          variant={isDirty ? 'ember' : 'quiet'}
          disabled={!isDirty}
          pending={isPending}
          pendingLabel={t`Saving…`}
        >
          {t`Save changes`}
        </Button>
      </Box>
      <ConfirmDialog
        open={guard.isBlocked}
        title={t`Leave without saving?`}
        text={t`Your changes to the settings haven't been saved.`}
        confirmLabel={t`Leave`}
        onClose={guard.stay}
        onConfirm={() => {
          guard.leave()
          discard()
        }}
      />
    </>
  )
}

/** The unsaved input. It is global, because opening another tab of the admin panel unmounts this section. */
const useUnsavedSettings = create<{ values: Partial<SettingsFormValues> }>(() => ({ values: {} }))

/** Returns the form. A field without unsaved input shows the stored value and follows changes by other admins. */
function useSettingsForm(settings: InstanceSettings) {
  const unsavedValues = useUnsavedSettings((state) => state.values)
  const { mutate, isPending } = useChangeSettings()
  const storedValues = settingsFormValues(settings)
  const values: SettingsFormValues = { ...storedValues, ...unsavedValues }
  const {
    register,
    handleSubmit,
    clearErrors,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(settingsForm(storedValues)),
    values,
    resetOptions: { keepErrors: true },
    reValidateMode: 'onSubmit',
  })
  const isDirty = changedFields(values, storedValues).length > 0
  const [isJustSaved, showSavedNotice] = useSavedNotice(isDirty)
  const discard = () => {
    useUnsavedSettings.setState({ values: {} })
    clearErrors()
  }
  return {
    values,
    isDirty,
    isPending,
    isJustSaved,
    guard: useLeaveGuard(isDirty),
    discard,
    /** Returns the props of a field. */
    field: (name: SettingField) => ({
      ...register(name, {
        onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
          useUnsavedSettings.setState(({ values }) => ({ values: { ...values, [name]: target.value } }))
          clearErrors(name)
        },
      }),
      autoComplete: 'off',
      spellCheck: false,
      error: fieldErrorText(errors[name]),
      readOnly: isPending,
    }),
    save: handleSubmit((request) => {
      if (isPending) return
      mutate(request, {
        onSuccess: () => {
          discard()
          showSavedNotice()
        },
      })
    }),
  }
}

type SettingsForm = ReturnType<typeof useSettingsForm>
