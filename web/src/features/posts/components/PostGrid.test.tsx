import { ChakraProvider } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { queryClient } from '@/lib/query-client'
import { system } from '@/ui/theme'
import { postFixture } from '../post-fixture'
import { PostTile } from './PostGrid'
import { ShowsPinned } from './PostHeader'

const render = (element: ReactNode): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <MemoryRouter>{element}</MemoryRouter>
        </QueryClientProvider>
      </ChakraProvider>
    </I18nProvider>,
  ).replace(/<style[^>]*>[^<]*<\/style>/g, '')

/** Returns the HTML and the text of a tile, without directional isolates. */
function renderTile(fields: Partial<Post>, showsAuthor = false) {
  const html = render(
    <ShowsPinned value>
      <PostTile
        post={postFixture('a', { content: 'Harbour', mine: false, ...fields })}
        showsAuthor={showsAuthor}
      />
    </ShowsPinned>,
  )
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
  return { html, text }
}

const locked = { locked: true, isPremium: true, premiumPrice: 5, content: '', teaser: 'Kiln diary' }

describe('PostTile', () => {
  it.each<[string, Partial<Post>]>([
    ['Open post by Ada: Harbour', {}],
    ['Open photo by Ada: Harbour', { mediaType: 'image', imageUrl: '/api/media/a' }],
    ['Open video by Ada: Harbour', { mediaType: 'video', posterUrl: '/api/media/a' }],
    ['Locked post by Ada, $5.00: Kiln diary', locked],
    ['Locked photo by Ada, $5.00: Kiln diary', { ...locked, mediaType: 'image' }],
    ['Locked video by Ada, $5.00: Kiln diary', { ...locked, mediaType: 'video' }],
  ])('links to the post with the name "%s"', (name, fields) => {
    const { html, text } = renderTile(fields)
    expect(html).toContain('href="/post/a"')
    expect(text).toContain(name)
  })

  it('shows only the blurred placeholder and the price of a locked post', () => {
    const { html, text } = renderTile({
      ...locked,
      mediaType: 'image',
      placeholder: 'data:image/webp;base64,AA',
    })
    expect(html.match(/<img [^>]*src="([^"]*)"/g)).toHaveLength(1)
    expect(html).toContain('src="data:image/webp;base64,AA"')
    expect(text.match(/\$5\.00/g)).toHaveLength(2)
  })

  it('shows the duration of a video, and whether the post is pinned, hidden or unlocked', () => {
    const video = { mediaType: 'video', mediaDuration: 75, posterUrl: '/api/media/a' } as const
    expect(renderTile(video).text).toContain('1:15')
    const { text } = renderTile({ pinned: true, hidden: true, isPremium: true, premiumPrice: 5 })
    expect(text).toContain('Pinned Hidden Unlocked')
    expect(text).not.toContain('$5.00')
    expect(renderTile({}).text).not.toMatch(/Pinned|Hidden|Unlocked/)
  })

  it('contains the numbers of likes and comments, which cover the tile only if its author is not shown', () => {
    const counts = { likesCount: 1, commentsCount: 2 }
    expect(renderTile(counts).text).toContain('1 like, 2 comments')
    expect(renderTile(counts).html).toContain('data-counts')
    expect(renderTile(counts, true).text).toContain('1 like, 2 comments')
    expect(renderTile(counts, true).html).not.toContain('data-counts')
  })
})
