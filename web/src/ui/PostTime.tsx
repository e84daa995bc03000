import { fullTime, postTime } from '@/lib/format'
import { useNow } from '@/lib/time'

/** The age of a post or comment. Alone, so that the passing of time draws nothing else anew. */
export function PostTime({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      {postTime(at, now)}
    </time>
  )
}
