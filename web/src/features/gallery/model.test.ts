import { expect, test } from 'vitest'
import { uploadOutcome } from './upload-outcome'
import type { GalleryUpload } from './useGalleryUploads'

const ending = (states: GalleryUpload['state'][], choosing = false) => {
  const { toast, finished } = uploadOutcome(
    states.map((state) => ({ state })),
    choosing,
  )
  return [toast?.title ?? null, toast?.description ?? null, finished]
}

test('it is finished once every file is in the gallery', () => {
  expect(ending(['done', 'done'])).toEqual(['Added to your gallery', null, true])
})

test('a file that was chosen meanwhile keeps it open', () => {
  expect(ending(['done', 'chosen'])).toEqual(['Added to your gallery', null, false])
  expect(ending(['done'], true)).toEqual(['Added to your gallery', null, false])
})

test('while others are on their way nothing is said, whatever became of these', () => {
  for (const state of ['preparing', 'uploading', 'waiting'] as const) {
    expect(ending(['done', state])).toEqual([null, null, false])
    expect(ending(['failed', state])).toEqual([null, null, false])
  }
})

test('what failed before is counted with what failed now', () => {
  expect(ending(['failed', 'done'])).toEqual(['Upload failed', '1 file was not added.', false])
  expect(ending(['failed', 'chosen', 'failed'])).toEqual(['Upload failed', '2 files were not added.', false])
})

test('where all were taken away nothing is said', () => {
  expect(ending([])).toEqual([null, null, false])
  expect(ending(['chosen'])).toEqual([null, null, false])
})
