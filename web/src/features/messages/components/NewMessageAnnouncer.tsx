import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '@/ui/layout'
import { type Bubble, newFromPartner } from '../model/bubbles'

/** Milliseconds for which what is read out stays on the page: longer than a screen reader needs to take it. */
const lasts = 5000

const nothing = { ids: [] as string[], text: '' }

/**
 * Reads out what the other person writes while the thread is open; not what was there before. Nothing of it stays,
 * least of all of a message that is deleted.
 */
export function NewMessageAnnouncer({ bubbles, me, name }: { bubbles: Bubble[]; me: string; name: string }) {
  const known = useRef(bubbles)
  const [said, setSaid] = useState(nothing)
  useEffect(() => {
    const fresh = newFromPartner(known.current, bubbles, me).filter((one) => !one.deleted)
    known.current = bubbles
    if (fresh.length === 0) return
    const text = fresh.length > 3 ? `${fresh.length} new messages` : fresh.map(words).join('. ')
    setSaid({ ids: fresh.map((one) => one.id), text: `${name}: ${text}` })
  }, [bubbles, me, name])
  useEffect(() => {
    if (said === nothing) return
    const timer = setTimeout(() => setSaid(nothing), lasts)
    return () => clearTimeout(timer)
  }, [said])
  if (bubbles.some((one) => one.deleted && said.ids.includes(one.id))) setSaid(nothing)
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {/* A new element each time: the same words said twice are read out twice. */}
      <span key={said.ids.at(-1) ?? ''}>{said.text}</span>
    </VisuallyHidden>
  )
}

function words(bubble: Bubble): string {
  return [bubble.image && 'Picture', bubble.content].filter(Boolean).join('. ')
}
