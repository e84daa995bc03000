import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { type ColorMode, colorModes, useColorMode } from '@/ui/color-mode'
import { colorModeOptions } from '@/ui/color-mode-options'
import { LanguageSelect } from '@/ui/LanguageSelect'
import { useCoverImageDraft } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Shows the settings for the color mode and the language in this browser. */
export function AppearanceTopic() {
  return (
    <>
      <SettingsSection title={t`Theme`} text={t`Applies right away, in this browser only.`}>
        <ColorModeField />
      </SettingsSection>
      <SettingsSection title={t`Language`}>
        <LanguageField />
      </SettingsSection>
    </>
  )
}

/** Shows the language setting, disabled while a chosen cover awaits upload: changing the language would discard it. */
function LanguageField() {
  const { previewUrl, isPreparing } = useCoverImageDraft()
  const hasCoverDraft = isPreparing || previewUrl !== null
  return (
    <LanguageSelect
      disabled={hasCoverDraft}
      hint={hasCoverDraft ? t`Upload or cancel your new background image first.` : undefined}
    />
  )
}

/** Shows a small picture of the app for each color mode. */
function ColorModeField() {
  const { mode, setMode } = useColorMode()
  const name = useId()
  return (
    <Box
      role="radiogroup"
      aria-label={t`Theme`}
      display="grid"
      gridTemplateColumns="repeat(3, minmax(0, 1fr))"
      gap={{ base: '2', md: '4' }}
    >
      {colorModes.map((value) => (
        <Option key={value}>
          <input
            type="radio"
            name={name}
            checked={value === mode}
            onChange={() => setMode(value)}
            aria-labelledby={`${name}-${value}`}
          />
          <Preview mode={value} />
          <Box
            as="span"
            id={`${name}-${value}`}
            display="flex"
            alignItems="center"
            justifyContent="center"
            gap="1.5"
            minHeight="9"
            textStyle="small"
            fontWeight="medium"
          >
            {colorModeOptions[value].icon} {t(colorModeOptions[value].label)}
          </Box>
        </Option>
      ))}
    </Box>
  )
}

const Option = chakra('label', {
  base: {
    position: 'relative',
    display: 'block',
    overflow: 'hidden',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'md',
    cursor: 'pointer',
    '& input': { position: 'absolute', opacity: 0 },
    _hover: { bg: 'hover' },
    '&:has(:checked)': { borderColor: 'ember.ring', boxShadow: 'inset 0 0 0 1px {colors.ember.ring}' },
    '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
  },
})

/** For `system`, the left half is light and the right half dark. */
function Preview({ mode }: { mode: ColorMode }) {
  return (
    <Box aria-hidden position="relative" height="5.5rem" margin="1" borderRadius="sm" overflow="hidden">
      <Screen mode={mode === 'dark' ? 'dark' : 'light'} />
      {mode === 'system' && (
        <Box position="absolute" inset="0" css={{ clipPath: 'inset(0 0 0 50%)' }}>
          <Screen mode="dark" />
        </Box>
      )}
    </Box>
  )
}

const Bar = chakra('div', { base: { height: '1.5', borderRadius: 'full', bg: 'pressed' } })

function Screen({ mode }: { mode: 'light' | 'dark' }) {
  return (
    <Box className={mode} height="full" padding="2.5" bg="bg">
      <Box
        display="flex"
        gap="2"
        height="full"
        padding="2"
        bg="surface"
        borderWidth="1px"
        borderColor="hairline"
        borderRadius="xs"
      >
        <Box boxSize="4" flexShrink="0" borderRadius="full" bg="ember.solid" />
        <Box flex="1" display="grid" alignContent="start" gap="1.5" paddingTop="1">
          <Bar width="50%" />
          <Bar />
          <Bar width="80%" />
        </Box>
      </Box>
    </Box>
  )
}
