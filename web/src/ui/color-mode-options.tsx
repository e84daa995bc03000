import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ColorMode } from './color-mode'
import { MoonIcon, ScreenIcon, SunIcon } from './icons'

/** The names and icons of the color modes. */
export const colorModeOptions: Record<ColorMode, { label: MessageDescriptor; icon: ReactNode }> = {
  system: { label: msg`System`, icon: <ScreenIcon /> },
  light: { label: msg`Light`, icon: <SunIcon /> },
  dark: { label: msg`Dark`, icon: <MoonIcon /> },
}
