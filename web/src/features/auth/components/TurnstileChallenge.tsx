import { i18n } from '@lingui/core'
import { Turnstile } from '@marsidev/react-turnstile'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { configQuery } from '@/lib/config'
import { useColorMode } from '@/ui/color-mode'
import { Skeleton } from '@/ui/Skeleton'
import type { ChallengeProps } from './Captcha'

/** Shows a Cloudflare Turnstile challenge. Turnstile itself decides whether the user must interact. */
export default function TurnstileChallenge({ onToken, onExpire, onFail }: ChallengeProps) {
  const config = useQuery(configQuery)
  const siteKey = config.data?.captcha.siteKey
  const [isScriptLoaded, setScriptLoaded] = useState(false)
  const { mode } = useColorMode()
  /** The flexible size needs at least 300 px. */
  const [size] = useState<'compact' | 'flexible'>(() => (isNarrowScreen() ? 'compact' : 'flexible'))

  const fail = useEffectEvent(onFail)
  useEffect(() => {
    let isMounted = true
    loadTurnstile().then(
      () => isMounted && setScriptLoaded(true),
      () => isMounted && fail(),
    )
    return () => {
      isMounted = false
    }
  }, [])
  const isSiteKeyMissing = config.isError || (config.isSuccess && !siteKey)
  useEffect(() => {
    if (isSiteKeyMissing) fail()
  }, [isSiteKeyMissing])

  if (!siteKey || !isScriptLoaded) return <Skeleton height="4rem" borderRadius="md" />
  return (
    <Turnstile
      siteKey={siteKey}
      injectScript={false}
      onSuccess={onToken}
      onExpire={onExpire}
      onError={onFail}
      onUnsupported={onFail}
      options={{
        size,
        theme: mode === 'system' ? 'auto' : mode,
        language: i18n.locale,
        responseField: false,
        // After a failure, `Captcha` shows a reload button. After expiry, it requests a new challenge.
        retry: 'never',
        refreshExpired: 'never',
      }}
    />
  )
}

const isNarrowScreen = () => matchMedia('(max-width: 23.5rem)').matches

const scriptUrl = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
/** `@marsidev/react-turnstile` finds the script by this id. */
const scriptId = 'cf-turnstile-script'

let scriptPromise: Promise<void> | null = null

/** Loads Turnstile's script once. After a failure (offline, ad blocker), the next call tries again. */
function loadTurnstile(): Promise<void> {
  scriptPromise ??= insertScript().catch((error: unknown) => {
    scriptPromise = null
    throw error
  })
  return scriptPromise
}

function insertScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.id = scriptId
    script.src = scriptUrl
    script.async = true
    script.onload = () => {
      if (window.turnstile) resolve()
      else fail()
    }
    const fail = () => {
      script.remove()
      reject(new Error('The Turnstile script did not load.'))
    }
    script.onerror = fail
    document.head.append(script)
  })
}
