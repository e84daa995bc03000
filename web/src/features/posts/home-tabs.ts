import type { OwnUser } from '@contract/user.ts'

export type Viewer = Pick<OwnUser, 'homeTabs' | 'isSubscriber'>

/** Returns the pinned tabs of the home feed, including those that are not shown now. */
export const storedTabs = ({ homeTabs }: Viewer) => homeTabs ?? ['subscriptions']

/**
 * Returns the pinned tabs of the home feed: topics with '#', and 'subscriptions' while the viewer has any. Users who
 * have not chosen their tabs see only the latter.
 */
export const shownTabs = (viewer: Viewer): string[] =>
  [...new Set(storedTabs(viewer))].filter(
    (tab) => tab.startsWith('#') || (tab === 'subscriptions' && viewer.isSubscriber),
  )
