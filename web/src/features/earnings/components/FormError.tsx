import { Box } from '@chakra-ui/react'
import { errorMessage, NetworkError } from '@/lib/api'
import { AlertIcon } from '@/ui/icons'

/** Why what was sent was not done, where it was sent from: the server's own words, where it answered. */
export function FormError({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error !== null && (
        <Box display="flex" gap="1.5" textStyle="small" color="danger.text" paddingTop="3">
          <Box as="span" marginTop="0.5" flexShrink={0}>
            <AlertIcon />
          </Box>
          <Box as="span" minWidth="0" overflowWrap="anywhere">
            {error instanceof NetworkError
              ? 'The connection was lost. Please try again.'
              : errorMessage(error, 'That did not work. Please try again.')}
          </Box>
        </Box>
      )}
    </div>
  )
}
