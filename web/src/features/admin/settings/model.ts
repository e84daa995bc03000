import type { InstanceSettings } from '@contract/admin.ts'

const numbers = [
  'maxPostsPerDay',
  'maxPostsPerCreator',
  'maxCostPerDay',
  'fromHour',
  'toHour',
  'inputPrice',
  'outputPrice',
] as const
const words = ['timeZone', 'model'] as const

/** What is edited as a text. */
export const settingFields = [...numbers, ...words, 'bannedWords'] as const
export type SettingField = (typeof settingFields)[number]
export type SettingsFormValues = Record<SettingField, string>

/** The settings as their form shows them: banned words one a line. */
export function settingsFormValues({ autoPosting, bannedWords }: InstanceSettings): SettingsFormValues {
  const texts: Partial<SettingsFormValues> = { bannedWords: bannedWords.join('\n') }
  for (const name of [...numbers, ...words]) texts[name] = String(autoPosting[name])
  return texts as SettingsFormValues
}

/** The words of a list: blank lines, and what stands there twice, count for nothing. */
export const parseWordList = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/** What is to be changed, for the fields that were. */
export function changedSettings(texts: SettingsFormValues, changed: readonly SettingField[]): unknown {
  const part = Object.fromEntries([
    ...numbers.filter((name) => changed.includes(name)).map((name) => [name, numberOf(texts[name])]),
    ...words.filter((name) => changed.includes(name)).map((name) => [name, texts[name]]),
  ])
  return {
    ...(Object.keys(part).length > 0 && { autoPosting: part }),
    ...(changed.includes('bannedWords') && { bannedWords: parseWordList(texts.bannedWords) }),
  }
}

/** A text that is no number is judged as such, and not as zero. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
