import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { CloudIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** The browser holds a session, but the server does not say whose. Nobody is signed out for that. */
export function SessionCheckFailed({ asking, onRetry }: { asking: boolean; onRetry: () => void }) {
  useDocumentTitle()
  return (
    <Box
      as="main"
      id="main"
      tabIndex={-1}
      outline="none"
      minHeight="100dvh"
      display="grid"
      placeItems="center"
    >
      <div role="alert">
        <EmptyState
          as="h1"
          drawing={<CloudIllustration />}
          title="The server does not answer"
          text="You are still signed in. Your account could not be loaded."
          action={
            <Button variant="outline" pending={asking} onClick={onRetry}>
              Try again
            </Button>
          }
        />
      </div>
    </Box>
  )
}
