import type { AccessTokenScope, accessTokenLifetimes } from '@contract/access-token.ts'
import { plural, t } from '@lingui/core/macro'

type ScopeText = { scope: AccessTokenScope; label: string; hint: string }

/** Returns the name of each scope and what it allows, in the app's language. */
export function scopeTexts(): ScopeText[] {
  return [
    { scope: 'read', label: t`Read`, hint: t`See what you can see, except your conversations` },
    {
      scope: 'write',
      label: t`Write`,
      hint: t`Post, comment, like, follow and block as you, and edit and delete what you posted`,
    },
    {
      scope: 'messages',
      label: t`Messages`,
      hint: t`Read your conversations and, with “Write”, send messages`,
    },
  ]
}

/** Formats the lifetime of an access token. */
export function lifetimeLabel(days: (typeof accessTokenLifetimes)[number] | null): string {
  if (days === null) return t`Never`
  return days === 365 ? t`In a year` : t`In ${plural(days, { one: '# day', other: '# days' })}`
}
