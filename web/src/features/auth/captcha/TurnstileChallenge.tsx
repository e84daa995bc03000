import { Turnstile } from '@marsidev/react-turnstile'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '@/lib/config'
import { Skeleton } from '@/ui/Skeleton'
import type { ChallengeProps } from './Captcha'

/** Cloudflare Turnstile, for servers set up with it; it decides by itself when to ask something of the person. */
export default function TurnstileChallenge({ onToken, onExpire, onFail }: ChallengeProps) {
  const config = useQuery(configQuery)
  const siteKey = config.data?.captcha.siteKey
  if (!siteKey) return <Skeleton height="4rem" borderRadius="md" />
  return (
    <Turnstile
      siteKey={siteKey}
      onSuccess={onToken}
      onExpire={onExpire}
      onError={onFail}
      options={{ size: 'flexible', theme: 'auto' }}
    />
  )
}
