import { ChakraProvider } from '@chakra-ui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { system } from './theme'
import { UserText } from './UserText'

const render = (linked: boolean): string =>
  renderToStaticMarkup(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <UserText text="Ask @ada about #ink, https://ink.example/a" linked={linked} />
      </MemoryRouter>
    </ChakraProvider>,
  ).replace(/<style[^>]*>[^<]*<\/style>/g, '')

test('links mentions, hashtags and URLs', () => {
  const hrefs = [...render(true).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(hrefs).toEqual(['/profile/ada', '/topic/ink', 'https://ink.example/a'])
})

test('marks the same parts without links for text within a link', () => {
  const html = render(false)
  expect(html).not.toContain('<a')
  const parts = [...html.matchAll(/<span[^>]*>([^<]*)<\/span>/g)].map(([, part]) => part)
  expect(parts).toEqual(['@ada', '#ink', 'ink.example/a'])
})
