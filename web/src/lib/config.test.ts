import { expect, test } from 'vitest'
import { publicFileUrl } from './public-file'

const file = '/storage/v1/object/public/avatars/a/b.jpg'

test('a public file is on this site where Supabase is', () => {
  expect(publicFileUrl(file, 'https://ovation.example', 'https://ovation.example')).toBe(file)
  expect(publicFileUrl(file, 'https://ovation.example/', 'https://ovation.example')).toBe(file)
})

test('else it is on Supabase’s own', () => {
  for (const url of ['https://x.supabase.co', 'https://x.supabase.co/']) {
    expect(publicFileUrl(file, url, 'https://ovation.example')).toBe(`https://x.supabase.co${file}`)
  }
})

test('any other address stays as it is', () => {
  for (const address of ['/api/media/1', 'https://other.example/a.png', 'blob:1', '//storage/a'])
    expect(publicFileUrl(address, 'https://x.supabase.co', 'https://ovation.example')).toBe(address)
})
