import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { paths } from '@/lib/paths'
import { Button, type ButtonProps } from '@/ui/Button'
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
      paddingBlock={{ base: '2.5', lg: '2' }}
      paddingInlineStart={{ base: '4', md: '5' }}
      paddingInlineEnd={{ base: '3', lg: '14' }}
      display={{ lg: 'flex' }}
      alignItems="center"
      columnGap="6"
    >
      <Box flex="1" paddingInlineEnd={{ base: '9', lg: '0' }} textStyle={{ base: 'caption', md: 'small' }}>
        <Box as="h2" id="cookies" textStyle="small" fontWeight="semibold">
          {t`Your cookies, your choice`}
        </Box>
        <Box as="p" color="muted">
          <Trans>
            One essential cookie keeps you signed in. With your consent, we may use others.{' '}
            <TextAnchor href={paths.privacy.getHref()} target="_blank" rel="noopener" underlined>
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
        top={{ base: '0.5', lg: 'calc(50% - {sizes.target} / 2)' }}
        insetEnd={{ base: '0.5', lg: '2' }}
        color="muted"
      >
        <CloseIcon />
      </Button>
      <Box display="flex" gap={{ base: '1.5', md: '2' }} marginTop={{ base: '2', lg: '0' }}>
        <ChoiceButton
          variant="outline"
          whiteSpace="nowrap"
          onClick={acceptCookies}
        >{t`Accept All`}</ChoiceButton>
        <ChoiceButton
          variant="outline"
          whiteSpace="nowrap"
          onClick={rejectCookies}
        >{t`Reject All`}</ChoiceButton>
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
      flex={{ base: '1 1 auto', lg: 'none' }}
      flexShrink="1"
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
