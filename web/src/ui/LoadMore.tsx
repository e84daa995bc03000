import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Button } from './Button'
import { useNearEnd } from './useNearEnd'

/**
 * Stands at the end of a list by pages. Fetches the next page as one comes near, or `byHand` only; its button is for
 * who does not scroll, and for a page that did not come.
 */
export function LoadMore({
  more,
  failed,
  loading,
  onMore,
  label,
  failedLabel,
  byHand = false,
  end,
}: {
  /** There is a next page. */
  more: boolean
  /** It was asked for and did not come. */
  failed: boolean
  loading: boolean
  onMore: () => unknown
  label: string
  failedLabel: string
  byHand?: boolean
  /** Said when everything is there. */
  end?: ReactNode
}) {
  const mark = useNearEnd<HTMLDivElement>(more && !failed && !loading && !byHand, onMore)
  if (!more && !end) return null
  return (
    <Box ref={mark} paddingBlock="8" textAlign="center" color="muted" textStyle="small">
      {more ? (
        <Button variant="outline" pending={loading} onClick={() => void onMore()}>
          {failed ? failedLabel : label}
        </Button>
      ) : (
        end
      )}
    </Box>
  )
}
