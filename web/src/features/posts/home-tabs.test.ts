import { expect, it } from 'vitest'
import { tabsToStore } from './api/home-tabs'
import { shownTabs } from './home-tabs'

it('shows the subscriptions tab by default, but only to subscribers', () => {
  expect(shownTabs({ homeTabs: null, isSubscriber: true })).toEqual(['subscriptions'])
  expect(shownTabs({ homeTabs: null, isSubscriber: false })).toEqual([])
  expect(shownTabs({ homeTabs: [], isSubscriber: true })).toEqual([])
  const homeTabs = ['#jazz', 'subscriptions', 'unknown']
  expect(shownTabs({ homeTabs, isSubscriber: true })).toEqual(['#jazz', 'subscriptions'])
  expect(shownTabs({ homeTabs, isSubscriber: false })).toEqual(['#jazz'])
})

it('keeps a tab that is not shown while there is room for it', () => {
  const viewer = { homeTabs: null, isSubscriber: false }
  expect(tabsToStore(viewer, ['#a'])).toEqual(['#a', 'subscriptions'])
  expect(tabsToStore(viewer, ['#a', '#b', '#c', '#d', '#e'])).toEqual(['#a', '#b', '#c', '#d', '#e'])
  expect(tabsToStore({ homeTabs: ['#a'], isSubscriber: true }, [])).toEqual([])
})
