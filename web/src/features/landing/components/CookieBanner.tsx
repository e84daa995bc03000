import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { CloseIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'

/** Asks visitors for a cookie choice until they have made one. Place it last in the page. */
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
      bottom="max(0.75rem, env(safe-area-inset-bottom))"
      marginInline={{ base: '3', md: 'auto' }}
      marginBottom="3"
      width={{ md: 'calc(100% - 1.5rem)' }}
      maxWidth="72rem"
      bg="raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="high"
      paddingBlock="3"
      paddingInlineStart={{ base: '4', md: '5' }}
      paddingInlineEnd={{ base: '4', lg: '16' }}
      display={{ lg: 'flex' }}
      alignItems="center"
      gap="6"
    >
      <Box flex="1">
        <Box as="h2" id="cookies" textStyle="label" paddingInlineEnd={{ base: '10', lg: '0' }}>
          {t`Your cookies, your choice`}
        </Box>
        <Box as="p" textStyle="small" color="muted" marginTop="0.5">
          <Trans>
            We use one essential cookie to keep you signed in. With your consent, we may use others to improve{' '}
            {appName}. Read the{' '}
            <TextAnchor href={paths.privacy.getHref()} target="_blank" rel="noopener" underlined>
              Privacy Policy
            </TextAnchor>
            .
          </Trans>
        </Box>
      </Box>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t`Close`}
        onClick={rejectCookies}
        position="absolute"
        top={{ base: '1', lg: 'calc(50% - {sizes.target} / 2)' }}
        insetEnd={{ base: '1', lg: '2.5' }}
        color="muted"
      >
        <CloseIcon />
      </Button>
      <Box
        display="flex"
        flexWrap={{ base: 'wrap', md: 'nowrap' }}
        columnGap="2"
        marginTop={{ base: '3', lg: '0' }}
      >
        <Button variant="outline" size="sm" flex="1" minHeight="target" onClick={acceptCookies}>
          {t`Accept All`}
        </Button>
        <Button variant="outline" size="sm" flex="1" minHeight="target" onClick={rejectCookies}>
          {t`Reject All`}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          flex={{ base: '1 0 100%', md: '1' }}
          minHeight="target"
          onClick={rejectCookies}
        >
          {t`Manage Cookie Settings`}
        </Button>
      </Box>
    </Box>
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

/** If the browser refuses to store the choice, it applies until the page closes. */
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
