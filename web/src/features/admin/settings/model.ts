import type { InstanceSettings } from '@contract/admin.ts'

const numberFields = [
  'maxPostsPerDay',
  'maxPostsPerCreator',
  'maxCostPerDay',
  'fromHour',
  'toHour',
  'inputPrice',
  'outputPrice',
] as const
const textFields = ['timeZone', 'model'] as const

/** The settings that are edited in a text field. */
export const settingFields = [...numberFields, ...textFields, 'bannedWords'] as const
export type SettingField = (typeof settingFields)[number]
export type SettingsFormValues = Record<SettingField, string>

/** Converts the settings to form values, with one banned word per line. */
export function settingsFormValues({ autoPosting, bannedWords }: InstanceSettings): SettingsFormValues {
  const values: Partial<SettingsFormValues> = { bannedWords: bannedWords.join('\n') }
  for (const name of [...numberFields, ...textFields]) values[name] = String(autoPosting[name])
  return values as SettingsFormValues
}

/** Returns the words of a list with one word per line, without blank lines and duplicates. */
export const parseWordList = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/** Builds the request for the changed fields. The result is not validated yet. */
export function changedSettings(values: SettingsFormValues, changed: readonly SettingField[]): unknown {
  const autoPosting = Object.fromEntries([
    ...numberFields.filter((name) => changed.includes(name)).map((name) => [name, parseNumber(values[name])]),
    ...textFields.filter((name) => changed.includes(name)).map((name) => [name, values[name]]),
  ])
  return {
    ...(Object.keys(autoPosting).length > 0 && { autoPosting }),
    ...(changed.includes('bannedWords') && { bannedWords: parseWordList(values.bannedWords) }),
  }
}

/** Returns NaN, not 0, for an empty text, so that validation rejects it. */
const parseNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
