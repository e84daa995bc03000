import { expect, it } from 'vitest'
import { createBoundedFetch } from '../../supabase/functions/_shared/auto-posting/bounded-fetch.ts'

it('the bounded fetch sends no request if the signal is already aborted', async () => {
  const boundedFetch = createBoundedFetch(5_000)
  const signal = AbortSignal.abort(new Error('The post was cancelled'))
  await expect(boundedFetch('http://127.0.0.1:9/', { signal })).rejects.toThrow('The post was cancelled')
})
