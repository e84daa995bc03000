import { Box } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { Button } from '@/ui/Button'
import { CloudIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'

/** A screen that broke, or whose code could not be fetched (a new version may stand in its place). */
export function RouteError({ inside = false }: { inside?: boolean }) {
  const error = useRouteError()
  useEffect(() => {
    console.error(error)
  }, [error])
  const state = (
    <EmptyState
      as="h1"
      drawing={<CloudIllustration />}
      title="Something went wrong"
      text="This page could not be shown. Loading it again usually helps."
      action={
        <Button variant="ember" onClick={() => window.location.reload()}>
          Load again
        </Button>
      }
    />
  )
  if (inside) return state
  return (
    <Box as="main" id="main" minHeight="100dvh" display="grid" placeItems="center">
      {state}
    </Box>
  )
}
