import { Turnstile } from '@marsidev/react-turnstile'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { configQuery } from '@/lib/config'
import { useColorMode } from '@/ui/color-mode'
import { Skeleton } from '@/ui/Skeleton'
import type { ChallengeProps } from './Captcha'
import { loadTurnstile } from './turnstile-script'

const narrow = () => matchMedia('(max-width: 23.5rem)')

/** Cloudflare Turnstile, for servers set up with it; it decides by itself when to ask something of the person. */
export default function TurnstileChallenge({ onToken, onExpire, onFail }: ChallengeProps) {
  const config = useQuery(configQuery)
  const siteKey = config.data?.captcha.siteKey
  const [loaded, setLoaded] = useState(false)
  const { mode } = useColorMode()
  /** Its widest form wants 300 px. */
  const [size] = useState<'compact' | 'flexible'>(() => (narrow().matches ? 'compact' : 'flexible'))

  const fail = useEffectEvent(onFail)
  useEffect(() => {
    let here = true
    loadTurnstile().then(
      () => here && setLoaded(true),
      () => here && fail(),
    )
    return () => {
      here = false
    }
  }, [])
  const unknown = config.isError || (config.isSuccess && !siteKey)
  useEffect(() => {
    if (unknown) fail()
  }, [unknown])

  if (!siteKey || !loaded) return <Skeleton height="4rem" borderRadius="md" />
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
        language: 'en',
        responseField: false,
        // What has failed or run out is asked for anew by the form, which knows that it needs one.
        retry: 'never',
        refreshExpired: 'never',
      }}
    />
  )
}
