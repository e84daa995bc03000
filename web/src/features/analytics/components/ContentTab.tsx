import { HoursPanel } from './HoursPanel'
import { Pair } from './Stack'
import { TopPostsPanel } from './TopPostsPanel'

/** Which posts were seen, and when. */
export function ContentTab() {
  return (
    <Pair alignItems="start">
      <TopPostsPanel />
      <HoursPanel />
    </Pair>
  )
}
