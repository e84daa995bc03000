import { countryCodes } from '@contract/country-codes.ts'

/** Every country by its code, as English readers call it, in alphabetical order. */
export function countries(): [code: string, name: string][] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return countryCodes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'))
}
