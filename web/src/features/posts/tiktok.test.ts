import { expect, test } from 'vitest'
import { extractTikToks, parseTikTokUrl, tikTokPlayerUrl } from './tiktok'

const id = '7212345678901234567'
const address = `https://www.tiktok.com/@ada.lovelace_1/video/${id}`

test.each([
  address,
  `${address}/`,
  `${address}?is_from_webapp=1&sender_device=pc#comments`,
  `https://m.tiktok.com/@ada.lovelace_1/video/${id}`,
  `http://tiktok.com/@ada.lovelace_1/video/${id}`,
])('%s is a video', (found) => {
  expect(parseTikTokUrl(found)).toEqual({ id, user: 'ada.lovelace_1' })
})

test.each([
  `https://www.tiktok.com.evil.example/@ada/video/${id}`,
  `https://evil.example/https://www.tiktok.com/@ada/video/${id}`,
  `https://www.tiktok.com@evil.example/@ada/video/${id}`,
  `https://evil.example#www.tiktok.com/@ada/video/${id}`,
  `https://www.tiktok.com:8443/@ada/video/${id}`,
  `https://eviltiktok.com/@ada/video/${id}`,
  `https://www.tiktok.com/@ada/video/${id}/../../../evil`,
  `https://www.tiktok.com/@ada/video/${id}"onload="alert(1)`,
  'https://www.tiktok.com/@ada/video/abc',
  'https://www.tiktok.com/@ada',
  `https://www.tiktok.com/@ada%2fvideo/video/${id}`,
  `javascript://www.tiktok.com/@ada/video/${id}`,
  `data:text/html,https://www.tiktok.com/@ada/video/${id}`,
  'no address at all',
])('%s is none', (found) => {
  expect(parseTikTokUrl(found)).toBeNull()
})

test('the player is asked for by its number alone', () => {
  expect(tikTokPlayerUrl({ id, user: '"><script>' })).toBe(`https://www.tiktok.com/player/v1/${id}`)
})

test('an address that ends its line gives way to its player, one amid a sentence stays', () => {
  expect(extractTikToks(`Look:\n${address}\nNice`)).toEqual({
    text: 'Look:\nNice',
    videos: [{ id, user: 'ada.lovelace_1' }],
  })
  expect(extractTikToks(address)).toMatchObject({ text: '', videos: [{ id }] })
  expect(extractTikToks(`See ${address} today`)).toMatchObject({
    text: `See ${address} today`,
    videos: [{ id }],
  })
})

test('a text without one stays as it is, and many make three players at most, each once', () => {
  const plain = '  https://example.com \n\n words '
  expect(extractTikToks(plain)).toEqual({ text: plain, videos: [] })
  const many = [1, 1, 2, 3, 4].map((n) => `https://www.tiktok.com/@a/video/${n}`)
  const split = extractTikToks(many.join('\n'))
  expect(split.videos.map((video) => video.id)).toEqual(['1', '2', '3'])
  expect(split.text).toBe(many[4])
})
