import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { Button, type ButtonProps } from '@/ui/Button'
import { CloseIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'

/** Asks visitors for a cookie choice until they have made one. Must be the last element of the page. */
export function CookieBanner() {
  return useHasCookieChoice() ? null : <Banner />
}

/**
 * Sticks to the bottom of the window while the page scrolls. It takes up space at the end of the page, so that it does
 * not cover the page's last content.
 */
function Banner() {
  const bannerRef = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const root = document.documentElement
    // Keeps a focused element from being scrolled under the banner.
    root.style.scrollPaddingBottom = `${(bannerRef.current?.offsetHeight ?? 0) + 32}px`
    return () => {
      root.style.scrollPaddingBottom = ''
    }
  }, [])

  return (
    <Box
      as="section"
      ref={bannerRef}
      aria-labelledby="cookies"
      position="sticky"
      zIndex="banner"
      bottom={{ base: '0', md: '6' }}
      width={{ md: '23rem' }}
      marginInlineStart={{ md: '6' }}
      marginBottom={{ md: '6' }}
      bg="raised"
      borderTopWidth="1px"
      borderInlineWidth={{ md: '1px' }}
      borderBottomWidth={{ md: '1px' }}
      borderRadius={{ md: 'lg' }}
      boxShadow="high"
      paddingInline={{ base: '4', md: '5' }}
      paddingTop={{ base: '2', md: '4' }}
      paddingBottom={{ base: 'max({spacing.2}, env(safe-area-inset-bottom))', md: '3' }}
    >
      <Box paddingInlineEnd="8" textStyle={{ base: 'caption', md: 'small' }}>
        <Box
          as="h2"
          id="cookies"
          textStyle="label"
          marginBottom={{ md: '1' }}
          srOnly={{ base: true, md: false }}
        >
          {t`Your cookies, your choice`}
        </Box>
        <Box as="p" color="muted">
          <Trans>
            One essential cookie keeps you signed in. With your consent, we may use others to improve{' '}
            {appName}.{' '}
            <TextAnchor
              href={paths.privacy.getHref()}
              target="_blank"
              rel="noopener"
              underlined
              whiteSpace={{ md: 'nowrap' }}
            >
              Privacy Policy
            </TextAnchor>
          </Trans>
        </Box>
      </Box>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t`Close`}
        onClick={rejectCookies}
        position="absolute"
        top={{ base: '0.5', md: '1.5' }}
        insetEnd="1.5"
        color="muted"
      >
        <CloseIcon />
      </Button>
      <Box
        display="flex"
        flexWrap={{ md: 'wrap' }}
        gap={{ base: '1.5', md: '2' }}
        marginTop={{ base: '1.5', md: '3' }}
      >
        <ChoiceButton variant="outline" onClick={acceptCookies}>{t`Accept All`}</ChoiceButton>
        <ChoiceButton variant="outline" onClick={rejectCookies}>{t`Reject All`}</ChoiceButton>
        <ChoiceButton variant="ghost" onClick={rejectCookies}>{t`Manage Cookie Settings`}</ChoiceButton>
      </Box>
    </Box>
  )
}

/** On phones, all buttons fit in one row; a long label wraps. */
function ChoiceButton(props: ButtonProps) {
  return (
    <Button
      size="sm"
      flex="1 1 auto"
      paddingInline={{ base: '2', sm: '4' }}
      fontSize={{ base: 'xs', sm: 'sm' }}
      whiteSpace={{ base: 'normal', sm: 'nowrap' }}
      lineHeight="snug"
      {...props}
    />
  )
}

type CookieChoice = 'accepted' | 'rejected'

const acceptCookies = () => choose('accepted')
const rejectCookies = () => choose('rejected')

function choose(choice: CookieChoice): void {
  saveCookieChoice(choice)
  // The clicked button no longer exists, so the focus moves to the page's content.
  document.getElementById('main')?.focus({ preventScroll: true })
}

const storageKey = 'cookieChoice'

/** Keeps the choice until the page closes if the browser cannot store it. */
let hasChosenInPage = false

const listeners = new Set<() => void>()

function saveCookieChoice(choice: CookieChoice): void {
  hasChosenInPage = true
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // `hasChosenInPage` records the choice.
  }
  for (const listener of listeners) listener()
}

/** Returns whether a choice has been made in this browser, in any tab. */
function useHasCookieChoice(): boolean {
  return useSyncExternalStore(subscribe, hasCookieChoice)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Fires when another tab stores its choice.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function hasCookieChoice(): boolean {
  try {
    return hasChosenInPage || localStorage.getItem(storageKey) !== null
  } catch {
    return hasChosenInPage
  }
}
