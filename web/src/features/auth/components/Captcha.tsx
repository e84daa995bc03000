import { Box } from '@chakra-ui/react'
import { CaptchaResponse } from '@contract/auth.ts'
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
import { AlertIcon } from '@/ui/icons'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toaster'

const Altcha = lazy(() => import('./AltchaChallenge'))
const Turnstile = lazy(() => import('./TurnstileChallenge'))

export type CaptchaHandle = {
  /** Asks for a new challenge, because a token counts once; call it after a failed submit. */
  renew: () => void
  /** Forgets a token that has run out while nobody looked (a machine that slept), and asks for a new challenge. */
  dropStale: () => void
  /** Starts solving without a click, where the provider can. */
  solve: () => void
  focus: () => void
}

/** Milliseconds that a token is good for after its challenge was asked for, less the time that a call may take. */
const goodFor = { altcha: 590_000, turnstile: 290_000, none: Number.POSITIVE_INFINITY }

/** A challenge belongs to a round; `eager` ones are solved at once, because the person has asked already. */
type Round = { number: number; eager: boolean }

/** What of a provider's part takes the focus. */
const focusable = 'input:not([type=hidden]), button, iframe'

/** What each provider's part is given. */
export type ChallengeProps = {
  eager: boolean
  onToken: (token: string) => void
  onExpire: () => void
  onFail: () => void
}

/**
 * The captcha that the server asks for, whichever provider it names. `onToken` gets the token, and an empty text
 * as soon as the token is no longer good.
 */
export function Captcha({
  ref,
  onToken,
  onFail,
  error,
}: {
  ref?: Ref<CaptchaHandle>
  onToken: (token: string) => void
  /** There will be no token: the challenge did not load, or could not be solved. */
  onFail?: () => void
  error?: string
}) {
  // A challenge counts once: another form on another screen must never find this one's in the cache.
  const [owner] = useState(() => uuidv7())
  const [round, setRound] = useState<Round>({ number: 0, eager: false })
  /** The round whose challenge could not be solved. */
  const [broken, setBroken] = useState(-1)
  /** Since when the token is there; null where there is none. By the clock, which goes on while a machine sleeps. */
  const solvedAt = useRef<number | null>(null)
  /** The challenge that is still in the page is about to give way to another. */
  const isGoing = useRef(false)
  const frame = useRef<HTMLFieldSetElement>(null)
  const errorId = useId()
  const asked = useQuery({
    queryKey: ['captcha', owner, round.number],
    queryFn: ({ signal }) => api.get('/api/auth/captcha', CaptchaResponse, { signal }),
    gcTime: 0,
  })
  const answer = asked.data
  const isBroken = broken === round.number
  const next = (eager: boolean) => {
    isGoing.current = true
    setRound((before) => ({ number: before.number + 1, eager }))
  }
  useEffect(() => {
    if (round.number > 0) isGoing.current = false
  }, [round.number])
  const take = (token: string) => {
    solvedAt.current = token ? Date.now() : null
    onToken(token)
  }

  const failed = () => {
    take('')
    onFail?.()
    toast({
      title: 'reCAPTCHA Error',
      description: 'Failed to load reCAPTCHA. Please refresh the page.',
      tone: 'destructive',
    })
  }
  const onChallengeFailed = useEffectEvent(failed)
  useEffect(() => {
    if (asked.isError) onChallengeFailed()
  }, [asked.isError])

  const onOff = useEffectEvent(() => take('none'))
  useEffect(() => {
    if (answer?.provider === 'none') onOff()
  }, [answer])

  useImperativeHandle(ref, () => ({
    renew: () => {
      take('')
      next(true)
    },
    dropStale: () => {
      if (!answer || solvedAt.current === null) return
      const since = answer.provider === 'altcha' ? asked.dataUpdatedAt : solvedAt.current
      if (Date.now() - since < goodFor[answer.provider]) return
      take('')
      next(true)
    },
    solve: () => {
      // One that failed, to load or to be solved, is asked for anew.
      if (asked.isError || isBroken) next(true)
      else setRound((before) => ({ ...before, eager: true }))
    },
    focus: () => {
      const control = isGoing.current ? null : frame.current?.querySelector<HTMLElement>(focusable)
      const target = control ?? frame.current
      target?.focus()
    },
  }))

  const props: ChallengeProps = {
    eager: round.eager,
    onToken: take,
    onFail: () => {
      setBroken(round.number)
      failed()
    },
    onExpire: () => {
      // What was solved is lost, and the person is told; of a challenge that nobody touched there is nothing to tell.
      if (solvedAt.current !== null) failed()
      next(false)
    },
  }
  return (
    <Box asChild outline="none">
      <fieldset ref={frame} tabIndex={-1} aria-describedby={error ? errorId : undefined}>
        <Box asChild srOnly>
          <legend>Check that you are a person</legend>
        </Box>
        <Box minHeight="3.25rem">
          <Suspense fallback={<Waiting />}>
            {asked.isPending && <Waiting />}
            {(asked.isError || isBroken) && (
              <Button variant="outline" width="100%" minHeight="3.25rem" onClick={() => next(true)}>
                Load the check again
              </Button>
            )}
            {answer?.provider === 'altcha' && answer.challenge && !isBroken && (
              <Altcha key={round.number} challenge={answer.challenge} {...props} />
            )}
            {answer?.provider === 'turnstile' && !isBroken && <Turnstile key={round.number} {...props} />}
            {answer?.provider === 'none' && (
              <Box textStyle="small" color="muted" paddingBlock="3.5">
                The captcha is switched off on this server.
              </Box>
            )}
          </Suspense>
        </Box>
        {error && (
          <Box id={errorId} display="flex" gap="1.5" textStyle="small" color="danger.text" marginTop="1.5">
            <Box as="span" marginTop="0.5" flexShrink={0}>
              <AlertIcon />
            </Box>
            {error}
          </Box>
        )}
      </fieldset>
    </Box>
  )
}

function Waiting() {
  return <Skeleton height="3.25rem" borderRadius="md" />
}
