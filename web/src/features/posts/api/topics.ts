import { TrendingTag } from '@contract/discover.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '@/lib/api'
import { postKeys } from './keys'

/** The hashtags that most people used in the last 7 days, the most used first. */
export const trendingTagsQuery = queryOptions({
  queryKey: postKeys.trendingTags,
  queryFn: ({ signal }) => api.get('/api/discover/trending-hashtags', z.array(TrendingTag), { signal }),
})
