import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { ApiError, isUnauthorized } from '@/lib/api'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'
import { findCachedMessage, isInLiveThread } from '../api/cached-message'
import { closeMessageWindow, openMessageWindow } from '../api/message-window'
import type { ScrollTarget } from './useThreadScroll'

const missing = 'This message is not in this conversation.'

/**
 * Going to one message of the open conversation, wherever it is: by a quote, or by the address (`?message=`), which is
 * gone to once the thread is there (`ready`) and each time it is opened. `leave` leads back to the end.
 */
export function useScrollToMessage(otherUserId: string, ready: boolean) {
  const [target, setTarget] = useState<ScrollTarget | null>(null)
  const [params, setParams] = useSearchParams()
  const { key } = useLocation()
  const wanted = params.get('message')?.toLowerCase() ?? null
  const asked = useRef<string>(undefined)

  const goTo = useCallback(
    async (messageId: string) => {
      asked.current = messageId
      try {
        if (isInLiveThread(otherUserId, messageId)) closeMessageWindow(otherUserId)
        else if (
          !findCachedMessage(otherUserId, messageId) &&
          !(await openMessageWindow(otherUserId, messageId))
        ) {
          toast({ title: missing, tone: 'destructive' })
          return
        }
        // Another one was asked for meanwhile.
        if (asked.current === messageId) setTarget({ id: messageId })
      } catch (error) {
        redirectIfUnauthorized(error)
        if (!isUnauthorized(error)) toast({ title: failureText(error), tone: 'destructive' })
      }
    },
    [otherUserId],
  )

  const gone = useRef<string>(undefined)
  useEffect(() => {
    if (!ready || !wanted || gone.current === `${key} ${wanted}`) return
    gone.current = `${key} ${wanted}`
    void goTo(wanted)
  }, [ready, wanted, key, goTo])

  // What is opened again begins at its end.
  useEffect(() => () => closeMessageWindow(otherUserId), [otherUserId])

  const leave = useCallback(() => {
    closeMessageWindow(otherUserId)
    setTarget(null)
    if (wanted) setParams({ user: otherUserId }, { replace: true, preventScrollReset: true })
  }, [otherUserId, wanted, setParams])
  return { target, goTo: (messageId: string) => void goTo(messageId), leave }
}

function failureText(error: unknown): string {
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status)
  return isMissing ? missing : 'The message did not load. Please try again.'
}
