import { type InstanceSettings, InstanceSettingsRequest } from '@contract/admin.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { z } from 'zod'

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
const settingFields = [...numberFields, ...textFields, 'bannedWords'] as const
export type SettingField = (typeof settingFields)[number]
export type SettingsFormValues = Record<SettingField, string>

/** Labels of the settings that are edited in a text field. */
export const settingLabels: Record<SettingField, MessageDescriptor> = {
  maxPostsPerDay: msg`Posts per day`,
  maxPostsPerCreator: msg`Posts per creator per day`,
  maxCostPerDay: msg`Cost per day`,
  fromHour: msg`Start hour`,
  toHour: msg`End hour`,
  timeZone: msg`Time zone`,
  model: msg`Model`,
  inputPrice: msg`Input price`,
  outputPrice: msg`Output price`,
  bannedWords: msg`Banned words`,
}

/** Labels of the settings that are switches. */
export const settingSwitchLabels = {
  requireApproval: msg`Require approval`,
  signInAfterRegistration: msg`Sign in after registration`,
  creatorProBilling: msg`Creator Pro billing`,
}

/** Converts the settings to form values, with one banned word per line. */
export function settingsFormValues({ autoPosting, bannedWords }: InstanceSettings): SettingsFormValues {
  const values: Partial<SettingsFormValues> = { bannedWords: bannedWords.join('\n') }
  for (const name of [...numberFields, ...textFields]) values[name] = String(autoPosting[name])
  return values as SettingsFormValues
}

/** Returns the words of a list with one word per line, without blank lines or duplicates. */
export const parseWordList = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/** Returns the fields whose value differs from `stored`. */
export const changedFields = (values: SettingsFormValues, stored: SettingsFormValues): SettingField[] =>
  settingFields.filter((name) => values[name] !== stored[name])

/** Returns the schema of the form. The request contains only the fields that differ from `stored`. */
export const settingsForm = (stored: SettingsFormValues) =>
  z.custom<SettingsFormValues>().transform((values, context) => {
    const request = changedSettings(values, changedFields(values, stored))
    const { data, error } = InstanceSettingsRequest.safeParse(request)
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', message, path: [fieldName(path)] })
    }
    return data ?? z.NEVER
  })

/** Maps the path of a validation issue to its form field. For a banned word, the path also contains its index. */
function fieldName([root, property]: PropertyKey[]): string {
  return String(root === 'autoPosting' ? property : root)
}

/** Builds the request for the changed fields. The result is not validated yet. */
function changedSettings(values: SettingsFormValues, changed: readonly SettingField[]): unknown {
  const autoPosting = Object.fromEntries([
    ...numberFields.filter((name) => changed.includes(name)).map((name) => [name, parseNumber(values[name])]),
    ...textFields.filter((name) => changed.includes(name)).map((name) => [name, values[name]]),
  ])
  return {
    ...(Object.keys(autoPosting).length > 0 && { autoPosting }),
    ...(changed.includes('bannedWords') && { bannedWords: parseWordList(values.bannedWords) }),
  }
}

/** Parses a number. Returns NaN, not 0, for an empty string, so that validation rejects it. */
const parseNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))
