import { expect, test } from 'vitest'
import { placedAt } from './publicFile'

const file = '/storage/v1/object/public/avatars/a/b.jpg'

test('a public file is on this site where Supabase is', () => {
  expect(placedAt(file, 'https://ovation.example', 'https://ovation.example')).toBe(file)
  expect(placedAt(file, 'https://ovation.example/', 'https://ovation.example')).toBe(file)
})

test('else it is on Supabase’s own', () => {
  for (const url of ['https://x.supabase.co', 'https://x.supabase.co/']) {
    expect(placedAt(file, url, 'https://ovation.example')).toBe(`https://x.supabase.co${file}`)
  }
})

test('any other address stays as it is', () => {
  for (const address of ['/api/media/1', 'https://other.example/a.png', 'blob:1', '//storage/a'])
    expect(placedAt(address, 'https://x.supabase.co', 'https://ovation.example')).toBe(address)
})
