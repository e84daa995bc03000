import 'altcha/altcha.css'
import 'altcha/external'
import { Box } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type {} from 'altcha/types/react'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import ShaWorker from 'altcha/workers/sha?worker'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { z } from 'zod'
import type { ChallengeProps } from './Captcha'

// The Content Security Policy only allows workers from our own origin, so the app bundles ALTCHA's workers.
for (const hash of ['SHA-256', 'SHA-384', 'SHA-512']) {
  globalThis.$altcha.algorithms.set(hash, () => new ShaWorker())
  globalThis.$altcha.algorithms.set(`PBKDF2/${hash}`, () => new Pbkdf2Worker())
}

const StateChange = z.object({ state: z.string(), payload: z.string().nullish() })

/** Styles the widget with the theme's tokens. */
const widgetStyles = {
  '--altcha-max-width': '100%',
  '--altcha-padding': '0.875rem',
  '--altcha-border-radius': 'radii.md',
  '--altcha-border-color': 'colors.outline',
  '--altcha-color-base': 'colors.surface',
  '--altcha-color-base-content': 'colors.text',
  '--altcha-color-neutral': 'colors.outline',
  '--altcha-color-neutral-content': 'colors.muted',
  '--altcha-color-primary': 'colors.ember.solid',
  '--altcha-color-primary-content': 'colors.ember.on',
  '--altcha-color-success': 'colors.success.text',
  '--altcha-color-success-content': 'colors.bg',
  '--altcha-color-error': 'colors.danger.solid',
  '--altcha-color-error-content': 'colors.danger.on',
  '--altcha-checkbox-border-color': 'colors.outline',
  '--altcha-checkbox-outline-color': 'colors.focus',
  '--altcha-checkbox-size': '1.5rem',
  '--altcha-input-background-color': 'colors.surface',
  '--altcha-transition-duration': '160ms',
  '--altcha-shadow': 'none',
  '--altcha-z-index-popover': '10',
  // The checkmark covers the checkbox and must not intercept clicks.
  '& .altcha-checkbox svg': { pointerEvents: 'none' },
  '& label': { flex: '1', cursor: 'pointer', paddingInlineStart: '1' },
} as const

const configuration = JSON.stringify({
  hideFooter: true,
  hideLogo: true,
  humanInteractionSignature: false,
  minDuration: 300,
})

/** Returns the language code for the widget, which looks up its labels by lowercase code. */
const widgetLanguage = () => i18n.locale.toLowerCase()

/** Sets the widget's labels in the app's language. */
function setWidgetTexts(): void {
  globalThis.$altcha.i18n.set(widgetLanguage(), {
    label: t`I'm not a robot`,
    verifying: t`Verifying…`,
    verified: t`Verified`,
    verificationRequired: t`Verification required`,
    waitAlert: t`Verification in progress. Please wait.`,
    error: t`Verification failed. Try again.`,
    expired: t`Verification expired. Try again.`,
  })
}

/** Shows an ALTCHA challenge: the browser solves a proof of work. */
export default function AltchaChallenge({
  challenge,
  autoSolve,
  onToken,
  onExpire,
  onFail,
}: ChallengeProps & { challenge: Record<string, unknown> }) {
  const widgetRef = useRef<HTMLElementTagNameMap['altcha-widget']>(null)

  const onStateChange = useEffectEvent((event: Event) => {
    const detail = StateChange.safeParse(event instanceof CustomEvent ? event.detail : null)
    if (!detail.success) return
    const { state, payload } = detail.data
    if (state === 'verified' && payload) onToken(payload)
    else if (state === 'expired') onExpire()
    else if (state === 'error') onFail()
    else onToken('')
  })
  useLayoutEffect(setWidgetTexts, [])
  useEffect(() => {
    const element = widgetRef.current
    element?.addEventListener('statechange', onStateChange)
    return () => element?.removeEventListener('statechange', onStateChange)
  }, [])

  useEffect(() => {
    const element = widgetRef.current
    if (!autoSolve || !element) return
    // The element is ready one task after it is attached.
    const timer = setTimeout(() => {
      if (element.getState() === 'unverified') void element.verify()
    })
    return () => clearTimeout(timer)
  }, [autoSolve])

  return (
    <Box css={widgetStyles}>
      <altcha-widget
        ref={widgetRef}
        challenge={JSON.stringify(challenge)}
        configuration={configuration}
        type="checkbox"
        name="captcha"
        language={widgetLanguage()}
      />
    </Box>
  )
}
