import { Box } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { getIdleSignOut } from '../idle-sign-out'

/** Shows on the login page that the user was signed out after an idle timeout. */
export function IdleSignOutNotice() {
  // Set in an effect, because screen readers do not announce a live region that is added together with its text.
  const [minutes, setMinutes] = useState<number | null>(null)
  useEffect(() => setMinutes(getIdleSignOut()), [])
  return (
    <div role="status">
      {minutes !== null && (
        <Box marginBottom="4" padding="3" bg="sunken" borderRadius="md" textStyle="small">
          <Box as="strong" textStyle="label" display="block">
            {t`You were signed out`}
          </Box>
          {idleReason(minutes)}
        </Box>
      )}
    </div>
  )
}

function idleReason(minutes: number): string {
  if (minutes < 60) {
    return plural(minutes, {
      one: 'You were away for # minute. You can change this in Settings → Security.',
      other: 'You were away for # minutes. You can change this in Settings → Security.',
    })
  }
  const hours = minutes / 60
  return plural(hours, {
    one: 'You were away for # hour. You can change this in Settings → Security.',
    other: 'You were away for # hours. You can change this in Settings → Security.',
  })
}
