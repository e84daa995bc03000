import { useQuery } from '@tanstack/react-query'
import { hoursQuery, topPostsQuery } from '../api'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { HoursPanel } from './HoursPanel'
import { PanelPair, PanelStack } from './PanelStack'
import { StaleDataNotice } from './StaleDataNotice'
import { TopPostsPanel } from './TopPostsPanel'

/** Which posts were seen, and when. */
export function ContentTab() {
  const asked = useAnalyticsRequest()
  const posts = useQuery(topPostsQuery(asked))
  const hours = useQuery(hoursQuery(asked))
  return (
    <PanelStack>
      <StaleDataNotice answers={[posts, hours]} />
      <PanelPair alignItems="start">
        <TopPostsPanel />
        <HoursPanel />
      </PanelPair>
    </PanelStack>
  )
}
