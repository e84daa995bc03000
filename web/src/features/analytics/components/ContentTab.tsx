import { useQuery } from '@tanstack/react-query'
import { hoursQuery, topPostsQuery } from '../api/figures'
import { useAsked } from '../useAsked'
import { HoursPanel } from './HoursPanel'
import { NotNew } from './NotNew'
import { Pair, Stack } from './Stack'
import { TopPostsPanel } from './TopPostsPanel'

/** Which posts were seen, and when. */
export function ContentTab() {
  const asked = useAsked()
  const posts = useQuery(topPostsQuery(asked))
  const hours = useQuery(hoursQuery(asked))
  return (
    <Stack>
      <NotNew answers={[posts, hours]} />
      <Pair alignItems="start">
        <TopPostsPanel />
        <HoursPanel />
      </Pair>
    </Stack>
  )
}
