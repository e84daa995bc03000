import { ApiError } from '@/lib/api'
import { InlineError } from '@/ui/states'

interface Answer {
  data: unknown
  error: Error | null
  refetch: () => Promise<unknown>
}

/** Why there are no figures to show; null where those of before can stay, or nothing failed. */
export function errorWithoutData({ data, error }: Pick<Answer, 'data' | 'error'>): Error | null {
  // Whoever may no longer see them does not go on seeing the old ones.
  const refused = error instanceof ApiError && error.status === 403
  return data === undefined || refused ? error : null
}

/** Where figures of before stay because the new ones did not come: says so, once for all that stand together. */
export function StaleDataNotice({ answers }: { answers: Answer[] }) {
  const old = answers.filter((answer) => answer.error && !errorWithoutData(answer))
  if (old.length === 0) return null
  return (
    <InlineError
      text="What is new did not load."
      onRetry={() => {
        for (const { refetch } of old) void refetch()
      }}
    />
  )
}
