import { Box, chakra } from '@chakra-ui/react'
import type { InstanceSettings } from '@contract/admin.ts'
import { type ComponentProps, useRef } from 'react'
import { TextareaField, TextField } from '@/ui/Field'
import { parseWordList, type SettingField } from '../model'
import { SettingsFormFooter } from './SettingsFormFooter'
import { SettingsSection } from './SettingsSection'
import { useSettingsForm } from './useSettingsForm'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(auto-fit, minmax(13rem, 1fr))' },
    gap: '4',
    alignItems: 'start',
  },
})

/** How much a program may post here and spend on it, when, with which model, and which words it may not use. */
export function AutoPostingSection({ settings }: { settings: InstanceSettings }) {
  const form = useSettingsForm(settings)
  const element = useRef<HTMLFormElement>(null)
  const register = (name: SettingField) => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: form.values[name],
    error: form.problems[name],
    readOnly: form.isPending,
  })
  const field = (name: SettingField, label: string, more: Partial<ComponentProps<typeof TextField>> = {}) => (
    <TextField
      label={label}
      {...register(name)}
      onChange={({ target }) => form.set(name, target.value)}
      {...more}
    />
  )
  const number = (name: SettingField, label: string, hint?: string) =>
    field(name, label, { inputMode: 'decimal', hint })
  return (
    <SettingsSection
      title="Auto-posting"
      text="Posts that a program writes for creators who agreed. Days are those of the time zone."
    >
      <chakra.form
        ref={element}
        noValidate
        aria-label="Auto-posting settings"
        display="grid"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.save()) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
        }}
      >
        <Grid>
          {number('maxPostsPerDay', 'Posts a day, in all')}
          {number('maxPostsPerCreator', 'Posts a day for one creator')}
          {number('maxCostPerDay', 'Cost a day', 'US dollars, at most')}
        </Grid>
        <Grid>
          {number('fromHour', 'From hour', '0 to 23')}
          {number('toHour', 'To hour', '1 to 24')}
          {field('timeZone', 'Time zone', { hint: 'Like Europe/Berlin' })}
        </Grid>
        <Grid>
          {field('model', 'Model')}
          {number('inputPrice', 'Price of input', 'US dollars a million tokens')}
          {number('outputPrice', 'Price of output', 'US dollars a million tokens')}
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
