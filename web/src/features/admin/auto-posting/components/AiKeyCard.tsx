import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { errorMessage } from '@/lib/api'
import { Badge } from '@/ui/Badge'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { aiKeyQuery } from '../api'
import { AiKeyControls } from './AiKeyControls'

/** The key of the AI provider: whether there is one, and what can be done with it. */
export function AiKeyCard() {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, isError, refetch } = useQuery(aiKeyQuery)
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="2.5">
        <Box as="h2" id={id} ref={heading} tabIndex={-1} textStyle="title">
          AI provider key
        </Box>
        {data && <Badge tone={toneOf(data)}>{data.hasKey ? 'Configured' : 'Not configured'}</Badge>}
      </Box>
      <Box textStyle="small" color="muted" marginTop="0.5" marginBottom="4">
        Auto-posting writes with it in the name of creators who have agreed.
      </Box>
      {data && <AiKeyControls aiKey={data} toHeading={() => heading.current?.focus()} />}
      {!data && isError && (
        <InlineError text={errorMessage(error, 'The API key did not load.')} onRetry={() => void refetch()} />
      )}
      {!data && !isError && (
        <Loading label="Loading the API key">
          <Skeleton height="12" borderRadius="md" />
          <Skeleton height="9" width="16rem" maxWidth="100%" marginTop="8" borderRadius="full" />
        </Loading>
      )}
    </Card>
  )
}

function toneOf({ hasKey, refusedAt }: { hasKey: boolean; refusedAt: string | null }) {
  if (!hasKey) return 'neutral'
  return refusedAt ? 'danger' : 'success'
}
