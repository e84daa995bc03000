import { z } from 'zod'
import { limits } from './limits.ts'

/** The query of a search. An empty `q` finds nothing. */
export const SearchQuery = z.object({
  q: z.string().trim().max(limits.searchQuery.max).default(''),
  limit: z.coerce.number().int().min(1).max(limits.page.max).optional(),
})
