import { expect, test } from 'vitest'
import { publicFileUrl } from './config'

const file = '/storage/v1/object/public/avatars/a/b.jpg'

test('keeps the path of a public file if Supabase and the page have the same origin', () => {
  expect(publicFileUrl(file, 'https://ovation.example', 'https://ovation.example')).toBe(file)
  expect(publicFileUrl(file, 'https://ovation.example/', 'https://ovation.example')).toBe(file)
})

test('adds the origin of Supabase if the page has a different one', () => {
  for (const url of ['https://x.supabase.co', 'https://x.supabase.co/']) {
    expect(publicFileUrl(file, url, 'https://ovation.example')).toBe(`https://x.supabase.co${file}`)
  }
})

test('returns any other address unchanged', () => {
  for (const address of ['/api/media/1', 'https://other.example/a.png', 'blob:1', '//storage/a'])
    expect(publicFileUrl(address, 'https://x.supabase.co', 'https://ovation.example')).toBe(address)
})
