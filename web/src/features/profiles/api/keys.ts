/** Keys of what is known about people. Search keeps its results under `['users', 'search', …]`. */
export const userKeys = {
  all: ['users'] as const,
  details: ['users', 'detail'] as const,
  detail: (identifier: string) => ['users', 'detail', identifier] as const,
  allStats: ['users', 'stats'] as const,
  stats: (userId: string) => ['users', 'stats', userId] as const,
  directory: (count: number) => ['users', 'directory', count] as const,
  blocked: ['users', 'blocked'] as const,
}
