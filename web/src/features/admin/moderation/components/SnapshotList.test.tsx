import { ChakraProvider } from '@chakra-ui/react'
import type { Snapshot } from '@contract/moderation.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { system } from '@/ui/theme'
import { MediaThumbnail } from './SnapshotList'

const render = (seen: Snapshot['seen']) =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ChakraProvider value={system}>
        <MediaThumbnail seen={seen} subject="post by Noor" />
      </ChakraProvider>
    </I18nProvider>,
  ).replace(/<style[^>]*>[^<]*<\/style>/g, '')

describe('MediaThumbnail', () => {
  it('shows the image of a post, blurred and without its alt text', () => {
    const html = render({ mediaType: 'image', mediaId: 'a', altText: 'A red bowl' })
    expect(html).toMatch(/aria-pressed="false".*Show image: post by Noor.*src="\/api\/media\/a" alt=""/)
  })

  it('shows the poster of a video', () => {
    const html = render({ mediaType: 'video', mediaId: 'a', posterId: 'b' })
    expect(html).toMatch(/Show video preview: post by Noor.*src="\/api\/media\/b"/)
  })

  it('shows nothing for text, a voice message or a video without a poster', () => {
    expect(render({ mediaType: 'video', mediaId: 'a' })).toBe('')
    expect(render({ mediaType: 'audio', mediaId: 'a' })).toBe('')
    expect(render({})).toBe('')
  })
})
