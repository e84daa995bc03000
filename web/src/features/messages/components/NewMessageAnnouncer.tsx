import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '@/ui/layout'
import { type Bubble, newFromOther } from './groups'

/** Reads out what the other person writes while the thread is open; not what was there before. */
export function NewMessageAnnouncer({ bubbles, me, name }: { bubbles: Bubble[]; me: string; name: string }) {
  const known = useRef(bubbles)
  const [said, setSaid] = useState({ id: '', text: '' })
  useEffect(() => {
    const fresh = newFromOther(known.current, bubbles, me).filter((one) => !one.deleted)
    known.current = bubbles
    const last = fresh.at(-1)
    if (!last) return
    const text = fresh.length > 3 ? `${fresh.length} new messages` : fresh.map(words).join('. ')
    setSaid({ id: last.id, text: `${name}: ${text}` })
  }, [bubbles, me, name])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {/* A new element each time: the same words said twice are read out twice. */}
      <span key={said.id}>{said.text}</span>
    </VisuallyHidden>
  )
}

function words(bubble: Bubble): string {
  return [bubble.image && 'Picture', bubble.content].filter(Boolean).join('. ')
}
