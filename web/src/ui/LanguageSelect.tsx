import { chakra } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { type Language, languages, setLanguage, useLanguage } from '@/locales/language'
import { SelectField } from './Field'
import { isFocusLost } from './restore-focus'
import { toast } from './toaster'

const CompactSelect = chakra('select', {
  base: {
    minHeight: 'target',
    maxWidth: '100%',
    paddingInline: '2',
    // iOS would zoom the page if the text were smaller.
    fontSize: { base: 'input', md: 'sm' },
    color: 'muted',
    bg: 'transparent',
    borderRadius: 'sm',
    cursor: 'pointer',
    _hover: { color: 'text' },
    _disabled: { opacity: 0.6, cursor: 'not-allowed' },
    '& option': { color: 'text', bg: 'surface' },
  },
})

const languageCodes = Object.keys(languages) as Language[]
const findLanguage = (value: string) => languageCodes.find((code) => code === value) ?? null

/** Whether the language is being changed. The change remounts the app, and the new select takes the focus. */
let isChanging = false

async function changeLanguage(language: Language | null): Promise<void> {
  isChanging = true
  try {
    await setLanguage(language)
  } catch {
    toast({
      title: t`Error`,
      description: t`Couldn't change the language. Try again.`,
      tone: 'destructive',
    })
  }
  // If the language has not changed, the app is not remounted. A select that appears later must not take the focus.
  setTimeout(() => {
    isChanging = false
  })
}

/**
 * Shows a select for the app's language in this browser. A change applies immediately and remounts the app, so disable
 * the select while the page has state that must not be lost.
 *
 * @param compact whether to show a small select without a visible label or hint, for the footer of a page; it shows the
 *   current language
 */
export function LanguageSelect({
  compact = false,
  disabled = false,
  hint = t`Applies right away, in this browser only.`,
}: {
  compact?: boolean
  disabled?: boolean
  hint?: string
}) {
  const selected = useLanguage((state) => state.selected)
  const ref = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (isChanging && isFocusLost()) ref.current?.focus()
  }, [])
  const options = languageCodes.map((code) => (
    <option key={code} value={code} lang={code}>
      {languages[code]}
    </option>
  ))
  if (compact) {
    return (
      <CompactSelect
        ref={ref}
        aria-label={t`Language`}
        disabled={disabled}
        value={i18n.locale}
        onChange={({ target }) => void changeLanguage(findLanguage(target.value))}
      >
        {options}
      </CompactSelect>
    )
  }
  return (
    <SelectField
      ref={ref}
      label={t`Language`}
      hint={hint}
      disabled={disabled}
      value={selected ?? ''}
      onChange={({ target }) => void changeLanguage(findLanguage(target.value))}
    >
      <option value="">{t`Use browser language`}</option>
      {options}
    </SelectField>
  )
}
