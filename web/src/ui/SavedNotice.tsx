import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CheckIcon } from './icons'

/** How long the notice is visible, in milliseconds. */
const visibleMs = 3000

/**
 * Returns whether a form was saved a moment ago, and a function to call when it has been saved.
 *
 * @param isEditing whether the user is changing the form again, which ends the notice
 */
export function useSavedNotice(isEditing: boolean): [isVisible: boolean, show: () => void] {
  const [isVisible, setVisible] = useState(false)
  if (isVisible && isEditing) setVisible(false)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = useCallback(() => {
    clearTimeout(timer.current)
    setVisible(true)
    timer.current = window.setTimeout(() => setVisible(false), visibleMs)
  }, [])
  return [isVisible, show]
}

/**
 * A notice beside the save button that says that the form was saved. Keep it mounted: screen readers announce the text
 * only if the region was there before.
 */
export function SavedNotice({ isVisible }: { isVisible: boolean }) {
  return (
    <span role="status">
      {isVisible && (
        <Label>
          <CheckIcon />
          {t({ message: 'Saved', context: 'form' })}
        </Label>
      )}
    </span>
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
    // Ends after `visibleMs`.
    animation: 'fadeIn {durations.slow} {easings.out}, fadeOut 400ms 2600ms forwards',
  },
})
