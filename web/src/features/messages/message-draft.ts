import { useCallback } from 'react'
import { createDraftStore, useStoredDraft } from '@/lib/drafts'

const nameOf = (receiverId: string) => `draft:message:${receiverId}`

const drafts = createDraftStore<string>({
  empty: () => '',
  parse: (stored) => {
    if (stored === null) return
    try {
      const draft: unknown = JSON.parse(stored)
      // An older version of the site kept the bare text.
      return typeof draft === 'string' ? draft : stored
    } catch {
      return stored
    }
  },
  isEmpty: (text) => text === '',
})

/** What a person is writing to somebody, kept in the browser until it is sent, the same in all tabs. */
export function useMessageDraft(me: string, receiverId: string): [string, (text: string) => void] {
  const text = useStoredDraft(drafts, me, nameOf(receiverId))
  const write = useCallback((next: string) => drafts.keep(me, nameOf(receiverId), next), [me, receiverId])
  return [text, write]
}

/** Puts a text under what the person is writing to somebody. */
export function appendToDraft(me: string, receiverId: string, text: string): void {
  const before = drafts.current(me, nameOf(receiverId))
  drafts.keep(me, nameOf(receiverId), before === '' ? text : `${before}\n${text}`)
}
