import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** Puts what a screen has for the side into the shell's right column; where there is none, it shows nothing. */
export function Rail({ children }: { children: ReactNode }) {
  const [rail, setRail] = useState<HTMLElement | null>(null)
  useEffect(() => setRail(document.getElementById('rail')), [])
  return rail && createPortal(children, rail)
}
