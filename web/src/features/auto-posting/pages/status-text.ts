import type { AutoPostingFrequency, AutoPostingState } from '@contract/auto-posting.ts'

/** How often, in the words of a sentence. */
const howOften: Record<AutoPostingFrequency, string> = {
  low: '1–2 posts a day',
  moderate: '2–3 posts a day',
  high: '3–4 posts a day',
}

/** What the team has chosen. */
export const teamSettingText = ({ enabled, frequency }: AutoPostingState): string =>
  enabled ? `Switched on: ${howOften[frequency]}` : 'Switched off'

/** What its creator has chosen. */
export function ownSettingText({ agreed, approves }: AutoPostingState): string {
  if (!agreed) return 'Not agreed'
  return approves ? 'Agreed; each post waits for you first' : 'Agreed; posts go out by themselves'
}

/** How both together stand, in a word. */
export function statusText({ enabled, agreed }: AutoPostingState): 'On' | 'Waits for you' | 'Off' {
  if (!enabled) return 'Off'
  return agreed ? 'On' : 'Waits for you'
}
