import { ChakraProvider } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { system } from '@/ui/theme'
import { PostFilters } from './PostFilters'

// Posts of several kinds, so that the filters are shown. Without filters, the buttons are in a portal, which
// `renderToStaticMarkup` does not support.
const stats = {
  followers: 0,
  following: 0,
  subscribers: 0,
  posts: 7,
  photos: 4,
  videos: 0,
  premiumPosts: 1,
  viewsThisWeek: null,
  hasReposts: false,
}

interface Case {
  title: string
  label: string | null
  isGrid?: boolean
  posts: number
  hasReposts?: boolean
  own?: boolean
}

test.each<Case>([
  {
    title: 'offers a list while the posts are shown as a grid',
    label: 'Show as list',
    isGrid: true,
    posts: 7,
  },
  { title: 'offers a grid while the posts are shown as a list', label: 'Show as grid', posts: 7 },
  { title: 'offers neither if there are no posts', label: null, posts: 0 },
  { title: 'offers a grid if there are only reposts', label: 'Show as grid', posts: 0, hasReposts: true },
  // The author also sees hidden posts, which are not counted.
  {
    title: 'offers a grid to the author even if no posts are counted',
    label: 'Show as grid',
    posts: 0,
    own: true,
  },
])('PostFilters $title', ({ label, isGrid = false, posts, hasReposts = false, own = false }) => {
  const html = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ChakraProvider value={system}>
        <PostFilters
          stats={{ ...stats, posts }}
          filter={{ kind: undefined, q: '' }}
          hasReposts={hasReposts}
          own={own}
          onChange={() => undefined}
          canSearch={false}
          isSearching={false}
          onToggleSearch={() => undefined}
          isGrid={isGrid}
          onToggleGrid={() => undefined}
          toolbar={null}
        />
      </ChakraProvider>
    </I18nProvider>,
  )
  expect(html).toContain('Photos')
  expect(html.match(/Show as (list|grid)/)?.[0] ?? null).toBe(label)
})
