import { type InstanceSettings, InstanceSettingsRequest } from '@contract/admin.ts'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { create } from 'zustand'
import { useLeaveGuard } from '@/lib/leave-guard'
import { useChangeSettings } from '../api'
import {
  changedSettings,
  type SettingField,
  type SettingsFormValues,
  settingFields,
  settingsFormValues,
} from '../model'

/** What was typed and not saved. Outside of the tab, which goes when another one is opened. */
const useTyped = create<{ typed: Partial<SettingsFormValues> }>(() => ({ typed: {} }))

/** The settings of auto-posting while they are edited. What another admin stores is shown where nothing was typed. */
export function useSettingsForm(settings: InstanceSettings) {
  const typed = useTyped((state) => state.typed)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const { mutate, isPending } = useChangeSettings()
  const stored = settingsFormValues(settings)
  const values: SettingsFormValues = { ...stored, ...typed }
  const changed = settingFields.filter((name) => values[name] !== stored[name])
  const discard = () => {
    useTyped.setState({ typed: {} })
    setProblems({})
  }
  return {
    values,
    problems,
    isDirty: changed.length > 0,
    isPending,
    guard: useLeaveGuard(changed.length > 0),
    set: (name: SettingField, value: string) => {
      useTyped.setState({ typed: { ...typed, [name]: value } })
      setProblems(({ [name]: _, ...others }) => others)
    },
    discard,
    /** False where something is wrong, which is marked by then. */
    save: (): boolean => {
      const { data, error } = InstanceSettingsRequest.safeParse(changedSettings(values, changed))
      const found: Partial<Record<string, string>> = {}
      for (const { path, message } of error?.issues ?? []) found[fieldOf(path)] ??= message
      flushSync(() => setProblems(found))
      if (data && !isPending) mutate(data, { onSuccess: discard })
      return data !== undefined
    },
  }
}

/** A field of a part goes by its own name, one word of a list by the list's. */
function fieldOf([part, field]: PropertyKey[]): string {
  return String(part === 'autoPosting' ? field : part)
}

export type SettingsForm = ReturnType<typeof useSettingsForm>
