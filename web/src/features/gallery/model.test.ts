import { describe, expect, it } from 'vitest'
import { type GalleryUpload, uploadOutcome } from './model'

const outcome = (states: GalleryUpload['state'][], isAddingFiles = false) => {
  const { toast, isFinished } = uploadOutcome(
    states.map((state) => ({ state })),
    isAddingFiles,
  )
  return [toast?.title ?? null, toast?.description ?? null, isFinished]
}

describe('uploadOutcome', () => {
  it('is finished once every file has been added', () => {
    expect(outcome(['done', 'done'])).toEqual(['Added to your gallery', null, true])
  })

  it('is not finished while there are files that have not been uploaded', () => {
    expect(outcome(['done', 'chosen'])).toEqual(['Added to your gallery', null, false])
    expect(outcome(['done'], true)).toEqual(['Added to your gallery', null, false])
  })

  it('has no toast while an upload is in progress', () => {
    for (const state of ['preparing', 'uploading', 'waiting'] as const) {
      expect(outcome(['done', state])).toEqual([null, null, false])
      expect(outcome(['failed', state])).toEqual([null, null, false])
    }
  })

  it('counts earlier failures too', () => {
    expect(outcome(['failed', 'done'])).toEqual(['Upload failed', "1 file wasn't added.", false])
    expect(outcome(['failed', 'chosen', 'failed'])).toEqual([
      'Upload failed',
      "2 files weren't added.",
      false,
    ])
  })

  it('has no toast when no upload has ended', () => {
    expect(outcome([])).toEqual([null, null, false])
    expect(outcome(['chosen'])).toEqual([null, null, false])
  })
})
