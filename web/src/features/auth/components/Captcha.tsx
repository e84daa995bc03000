import { Box } from '@chakra-ui/react'
import { CaptchaResponse } from '@contract/auth.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  type Ref,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { api } from '@/lib/api'
import { uuidv7 } from '@/lib/uuid'
import { Button } from '@/ui/Button'
import { FieldError } from '@/ui/Field'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toaster'

const Altcha = lazy(() => import('./AltchaChallenge'))
const Turnstile = lazy(() => import('./TurnstileChallenge'))

export type CaptchaHandle = {
  /** Requests a new challenge. Call it after a failed submission, because each token can be used only once. */
  renew: () => void
  /** Discards a token that expired while the computer was asleep, and requests a new challenge. */
  renewIfExpired: () => void
  /** Starts solving without a click, if the provider supports it. */
  solve: () => void
  focus: () => void
}

/**
 * How long a token is valid, minus the time that a request may take. For ALTCHA the time starts when the challenge is
 * issued, for Turnstile when it is solved.
 */
const tokenLifetimeMs = { altcha: 590_000, turnstile: 290_000, none: Number.POSITIVE_INFINITY }

/**
 * An attempt to solve a challenge. With `autoSolve`, it starts without a click, because the user has submitted the
 * form, selected a demo account or reloaded the captcha.
 */
type Attempt = { number: number; autoSolve: boolean }

/** The elements of a provider's widget that can receive the focus. */
const focusableSelector = 'input:not([type=hidden]), button, iframe'

/** The props of the providers' components. */
export type ChallengeProps = {
  autoSolve: boolean
  onToken: (token: string) => void
  onExpire: () => void
  onFail: () => void
}

/**
 * Shows the captcha of the provider that the server uses. `onToken` receives the token, and an empty string when the
 * token becomes invalid.
 */
export function Captcha({
  ref,
  onToken,
  onFail,
  error,
}: {
  ref?: Ref<CaptchaHandle>
  onToken: (token: string) => void
  /** Called when the challenge fails to load, cannot be solved, or expires after it was solved. */
  onFail?: () => void
  error?: string
}) {
  // Each challenge can be used only once. Each form has its own query key, so that it never gets another form's
  // challenge from the cache.
  const [instanceId] = useState(() => uuidv7())
  const [attempt, setAttempt] = useState<Attempt>({ number: 0, autoSolve: false })
  /** The number of the last attempt that failed. */
  const [failedAttempt, setFailedAttempt] = useState(-1)
  /** When the token was received, or null if there is none. In wall-clock time, which also passes during sleep. */
  const solvedAt = useRef<number | null>(null)
  /** Whether the visible challenge is about to be replaced by that of the next attempt. */
  const isReplacing = useRef(false)
  const fieldsetRef = useRef<HTMLFieldSetElement>(null)
  const errorId = useId()
  const challengeQuery = useQuery({
    queryKey: ['captcha', instanceId, attempt.number],
    queryFn: ({ signal }) => api.get('/api/auth/captcha', CaptchaResponse, { signal }),
    gcTime: 0,
  })
  const response = challengeQuery.data
  const hasFailed = failedAttempt === attempt.number
  const startNextAttempt = (autoSolve: boolean) => {
    isReplacing.current = true
    setAttempt((previous) => ({ number: previous.number + 1, autoSolve }))
  }
  useEffect(() => {
    if (attempt.number > 0) isReplacing.current = false
  }, [attempt.number])
  const setToken = (token: string) => {
    solvedAt.current = token ? Date.now() : null
    onToken(token)
  }

  const reportFailure = () => {
    setToken('')
    onFail?.()
    toast({
      title: t`reCAPTCHA Error`,
      description: t`Failed to load reCAPTCHA. Please refresh the page.`,
      tone: 'destructive',
    })
  }
  const onLoadFailed = useEffectEvent(reportFailure)
  useEffect(() => {
    if (challengeQuery.isError) onLoadFailed()
  }, [challengeQuery.isError])

  const onCaptchaDisabled = useEffectEvent(() => setToken('none'))
  useEffect(() => {
    if (response?.provider === 'none') onCaptchaDisabled()
  }, [response])

  useImperativeHandle(ref, () => ({
    renew: () => {
      setToken('')
      startNextAttempt(true)
    },
    renewIfExpired: () => {
      if (!response || solvedAt.current === null) return
      const validSince = response.provider === 'altcha' ? challengeQuery.dataUpdatedAt : solvedAt.current
      if (Date.now() - validSince < tokenLifetimeMs[response.provider]) return
      setToken('')
      startNextAttempt(true)
    },
    solve: () => {
      if (challengeQuery.isError || hasFailed) startNextAttempt(true)
      else setAttempt((current) => ({ ...current, autoSolve: true }))
    },
    focus: () => {
      const control = isReplacing.current
        ? null
        : fieldsetRef.current?.querySelector<HTMLElement>(focusableSelector)
      const target = control ?? fieldsetRef.current
      target?.focus()
    },
  }))

  const challengeProps: ChallengeProps = {
    autoSolve: attempt.autoSolve,
    onToken: setToken,
    onFail: () => {
      setFailedAttempt(attempt.number)
      reportFailure()
    },
    onExpire: () => {
      // Only the expiry of a solved challenge is reported; an untouched challenge is replaced silently.
      if (solvedAt.current !== null) reportFailure()
      startNextAttempt(false)
    },
  }
  return (
    <Box asChild outline="none">
      <fieldset ref={fieldsetRef} tabIndex={-1} aria-describedby={error ? errorId : undefined}>
        <Box asChild srOnly>
          <legend>{t`Verify you're human`}</legend>
        </Box>
        <Box minHeight="3.25rem">
          <Suspense fallback={<ChallengeSkeleton />}>
            {challengeQuery.isPending && <ChallengeSkeleton />}
            {(challengeQuery.isError || hasFailed) && (
              <Button
                variant="outline"
                width="100%"
                minHeight="3.25rem"
                onClick={() => startNextAttempt(true)}
              >
                {t`Reload captcha`}
              </Button>
            )}
            {response?.provider === 'altcha' && response.challenge && !hasFailed && (
              <Altcha key={attempt.number} challenge={response.challenge} {...challengeProps} />
            )}
            {response?.provider === 'turnstile' && !hasFailed && (
              <Turnstile key={attempt.number} {...challengeProps} />
            )}
            {response?.provider === 'none' && (
              <Box textStyle="small" color="muted" paddingBlock="3.5">
                {t`Captcha is turned off on this server.`}
              </Box>
            )}
          </Suspense>
        </Box>
        {error && <FieldError id={errorId}>{error}</FieldError>}
      </fieldset>
    </Box>
  )
}

function ChallengeSkeleton() {
  return <Skeleton height="3.25rem" borderRadius="md" />
}
