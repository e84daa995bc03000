import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '@/ui/layout'
import type { Bubble } from './groups'

/** Reads out a message of the other person that arrives while the thread is open; not those that were there. */
export function NewMessageAnnouncer({ bubbles, me, name }: { bubbles: Bubble[]; me: string; name: string }) {
  const last = bubbles.at(-1)
  const known = useRef(last?.id)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!last || last.id === known.current) return
    known.current = last.id
    if (last.senderId !== me) setText(`${name}: ${last.content}`)
  }, [last, me, name])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  )
}
