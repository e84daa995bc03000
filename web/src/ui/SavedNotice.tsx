import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CheckIcon } from './icons'

/** How long the notice is visible, in milliseconds. */
const visibleMs = 3000

/** The animation of elements that disappear together with the notice. It ends after `visibleMs`. */
export const fadeOutAfterSaving = 'fadeOut 400ms 2600ms forwards'

/** Returns whether a form was saved a moment ago, and a function to call when it has been saved. */
export function useSavedNotice(): [isVisible: boolean, show: () => void] {
  const [isVisible, setVisible] = useState(false)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = useCallback(() => {
    clearTimeout(timer.current)
    setVisible(true)
    timer.current = window.setTimeout(() => setVisible(false), visibleMs)
  }, [])
  return [isVisible, show]
}

/** Shows beside the save button that the form was saved. Announced by screen readers when it appears. */
export function SavedNotice({ isVisible }: { isVisible: boolean }) {
  return <span role="status">{isVisible && <SavedLabel />}</span>
}

/** The text of `SavedNotice`, for a place that announces it in another way. */
export function SavedLabel() {
  return (
    <Label>
      <CheckIcon />
      {t({ message: 'Saved', context: 'form' })}
    </Label>
  )
}

const Label = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    color: 'success.text',
    textStyle: 'small',
    fontWeight: 'semibold',
    animation: `fadeIn {durations.slow} {easings.out}, ${fadeOutAfterSaving}`,
  },
})
