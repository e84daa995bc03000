import { Box, chakra } from '@chakra-ui/react'
import { type InstanceSettings, InstanceSettingsRequest } from '@contract/admin.ts'
import { type ComponentProps, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { create } from 'zustand'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { TextareaField, TextField } from '@/ui/Field'
import { useChangeSettings } from '../api'
import {
  changedSettings,
  parseWordList,
  type SettingField,
  type SettingsFormValues,
  settingFields,
  settingsFormValues,
} from '../model'
import { SettingsSection } from './SettingsSection'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(auto-fit, minmax(13rem, 1fr))' },
    gap: '4',
    alignItems: 'start',
  },
})

/** Shows the settings of auto-posting: caps, hours, model, prices and banned words. */
export function AutoPostingSection({ settings }: { settings: InstanceSettings }) {
  const form = useSettingsForm(settings)
  const formElement = useRef<HTMLFormElement>(null)
  const register = (name: SettingField) => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: form.values[name],
    error: form.errors[name],
    readOnly: form.isPending,
  })
  const textField = (
    name: SettingField,
    label: string,
    props: Partial<ComponentProps<typeof TextField>> = {},
  ) => (
    <TextField
      label={label}
      {...register(name)}
      onChange={({ target }) => form.set(name, target.value)}
      {...props}
    />
  )
  const numberField = (name: SettingField, label: string, hint?: string) =>
    textField(name, label, { inputMode: 'decimal', hint })
  return (
    <SettingsSection
      title="Auto-posting"
      text="Posts that a program writes for creators who agreed. Days are those of the time zone."
    >
      <chakra.form
        ref={formElement}
        noValidate
        aria-label="Auto-posting settings"
        display="grid"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.save()) formElement.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
        }}
      >
        <Grid>
          {numberField('maxPostsPerDay', 'Posts a day, in all')}
          {numberField('maxPostsPerCreator', 'Posts a day for one creator')}
          {numberField('maxCostPerDay', 'Cost a day', 'US dollars, at most')}
        </Grid>
        <Grid>
          {numberField('fromHour', 'From hour', '0 to 23')}
          {numberField('toHour', 'To hour', '1 to 24')}
          {textField('timeZone', 'Time zone', { hint: 'Like Europe/Berlin' })}
        </Grid>
        <Grid>
          {textField('model', 'Model')}
          {numberField('inputPrice', 'Price of input', 'US dollars a million tokens')}
          {numberField('outputPrice', 'Price of output', 'US dollars a million tokens')}
        </Grid>
        <TextareaField
          label="Banned words"
          hint="One a line. A post with one of them in it is not published."
          aside={
            <Box textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
              {parseWordList(form.values.bannedWords).length} in all
            </Box>
          }
          rows={5}
          {...register('bannedWords')}
          onChange={({ target }) => form.set('bannedWords', target.value)}
        />
        <SettingsFormFooter form={form} />
      </chakra.form>
    </SettingsSection>
  )
}

/** Shows the buttons that save or discard the changes, and asks before the user leaves with unsaved changes. */
function SettingsFormFooter({ form: { isDirty, isPending, discard, guard } }: { form: SettingsForm }) {
  return (
    <>
      <Box display="flex" flexWrap="wrap" justifyContent="flex-end" gap="3">
        {isDirty && (
          <Button variant="ghost" onClick={discard} disabled={isPending}>
            Discard
          </Button>
        )}
        <Button
          type="submit"
          variant={isDirty ? 'ember' : 'quiet'}
          disabled={!isDirty}
          pending={isPending}
          pendingLabel="Saving…"
        >
          Save
        </Button>
      </Box>
      <ConfirmDialog
        open={guard.isBlocked}
        title="Leave without saving?"
        text="You changed settings of this instance and have not saved them yet."
        confirmLabel="Leave"
        onClose={guard.stay}
        onConfirm={() => {
          guard.leave()
          discard()
        }}
      />
    </>
  )
}

/** The unsaved input. It is global, as the tab is unmounted when another tab is opened. */
const useUnsavedSettings = create<{ values: Partial<SettingsFormValues> }>(() => ({ values: {} }))

/** Holds the form. Fields without unsaved input show the stored value, also when another admin changes it. */
function useSettingsForm(settings: InstanceSettings) {
  const unsavedValues = useUnsavedSettings((state) => state.values)
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const { mutate, isPending } = useChangeSettings()
  const storedValues = settingsFormValues(settings)
  const values: SettingsFormValues = { ...storedValues, ...unsavedValues }
  const changed = settingFields.filter((name) => values[name] !== storedValues[name])
  const discard = () => {
    useUnsavedSettings.setState({ values: {} })
    setErrors({})
  }
  return {
    values,
    errors,
    isDirty: changed.length > 0,
    isPending,
    guard: useLeaveGuard(changed.length > 0),
    set: (name: SettingField, value: string) => {
      useUnsavedSettings.setState({ values: { ...unsavedValues, [name]: value } })
      setErrors(({ [name]: _, ...others }) => others)
    },
    discard,
    /** Returns false if a value is invalid. The invalid fields are marked before it returns. */
    save: (): boolean => {
      const { data, error } = InstanceSettingsRequest.safeParse(changedSettings(values, changed))
      const fieldErrors: Partial<Record<string, string>> = {}
      for (const { path, message } of error?.issues ?? []) fieldErrors[fieldName(path)] ??= message
      flushSync(() => setErrors(fieldErrors))
      if (data && !isPending) mutate(data, { onSuccess: discard })
      return data !== undefined
    },
  }
}

/** Maps the path of an issue to its field. The path of a banned word contains its index. */
function fieldName([root, property]: PropertyKey[]): string {
  return String(root === 'autoPosting' ? property : root)
}

type SettingsForm = ReturnType<typeof useSettingsForm>
