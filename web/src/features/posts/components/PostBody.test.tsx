import { text } from 'node:stream/consumers'
import { ChakraProvider } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { prerenderToNodeStream } from 'react-dom/static'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { system } from '@/ui/theme'
import { postFixture } from '../post-fixture'
import { PostBody } from './PostBody'

/** Returns the HTML of a post, including the parts that are loaded lazily. */
async function render(content: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <I18nProvider i18n={i18n}>
      <ChakraProvider value={system}>
        <MemoryRouter>
          <PostBody post={postFixture('a', { content })} large />
        </MemoryRouter>
      </ChakraProvider>
    </I18nProvider>,
  )
  return (await text(prelude)).replace(/<style[^>]*>[^<]*<\/style>/g, '')
}

const allowedTags = ['div', 'a', 'span', 'button', 'svg', 'path']
const videoUrl = 'https://www.tiktok.com/@ada/video/7212345678901234567'

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  'javascript:alert(1)',
  '[press](javascript:alert(1)) https://evil.example/"onmouseover="alert(1)',
  'data:text/html,<script>alert(1)</script>',
  `${videoUrl}"><script src=https://evil.example></script>`,
  `${videoUrl}?x="></button><iframe src=https://evil.example>`,
  'https://www.tiktok.com.evil.example/@ada/video/7212345678901234567',
  'https://www.tiktok.com@evil.example/@ada/video/7212345678901234567',
  '@<b>ada</b> #<i>tag</i> {{alert(1)}}',
])('renders %s as text and safe links only', async (content) => {
  const html = await render(content)
  for (const [, tag] of html.matchAll(/<([a-z]+)/g)) expect(allowedTags).toContain(tag)
  for (const [, href] of html.matchAll(/href="([^"]*)"/g))
    expect(href).toMatch(/^(https?:\/\/|\/(profile|topic)\/)/)
  expect(html).not.toMatch(/<[^>]* on\w+=/)
})

test('renders a TikTok video as a button that names its source, without an iframe', async () => {
  const html = await render(`Look\n${videoUrl}`)
  expect(html).toContain('TikTok video by @ada')
  expect(html).toContain('Loads from tiktok.com when you press play')
  expect(html).not.toContain('<iframe')
})
