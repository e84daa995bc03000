import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { paths } from '@/lib/paths'
import { Button, type ButtonProps } from '@/ui/Button'
import { CloseIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'

/** Asks visitors for a cookie choice until they have made one. Must be the last element of the page. */
export function CookieBanner() {
  return useHasCookieChoice() ? null : <Banner />
}

/**
 * Shows the banner as a bar on phones, and as a card in the corner on wide screens. The banner sticks to the bottom of
 * the window while the page scrolls, and takes up space at the end of the page, so that it does not cover the page's
 * last content.
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
      bottom="0"
      display={{ md: 'flex' }}
      justifyContent="flex-end"
      padding={{ md: '4' }}
      paddingInline={{ md: '8' }}
      // The page beside the card stays clickable.
      pointerEvents={{ md: 'none' }}
    >
      <Box
        position="relative"
        display="flex"
        flexDirection="column"
        rowGap={{ base: '2.5', md: '3' }}
        width={{ md: '27rem' }}
        maxWidth="100%"
        paddingInline={{ base: '4', md: '5' }}
        paddingTop={{ base: '3', md: '4' }}
        paddingBottom={{ base: 'max({spacing.3}, env(safe-area-inset-bottom))', md: '4' }}
        bg="raised"
        borderTopWidth="1px"
        borderInlineWidth={{ md: '1px' }}
        borderBottomWidth={{ md: '1px' }}
        borderRadius={{ md: 'lg' }}
        boxShadow={{ md: 'high' }}
        pointerEvents="auto"
      >
        <Box as="h2" id="cookies" srOnly>
          {t`Your cookies, your choice`}
        </Box>
        <Box as="p" textStyle={{ base: 'caption', md: 'small' }} color="muted" paddingInlineEnd="9">
          {t`One essential cookie keeps you signed in.`} {t`Extra cookies only with your consent.`}{' '}
          <TextAnchor
            href={paths.privacy.getHref()}
            target="_blank"
            rel="noopener"
            underlined
            whiteSpace="nowrap"
          >
            {t`Privacy Policy`}
          </TextAnchor>
        </Box>
        <Box display="flex" alignItems="center" gap="2">
          <ChoiceButton variant="outline" onClick={acceptCookies}>{t`Accept All`}</ChoiceButton>
          <ChoiceButton variant="outline" onClick={rejectCookies}>{t`Reject All`}</ChoiceButton>
          <ChoiceButton variant="ghost" onClick={rejectCookies} flexShrink="1" whiteSpace="normal">
            {t`Manage Cookie Settings`}
          </ChoiceButton>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t`Close`}
            onClick={rejectCookies}
            position="absolute"
            top={{ base: '0.5', md: '1.5' }}
            insetInlineEnd={{ base: '1', md: '1.5' }}
            color="muted"
          >
            <CloseIcon />
          </Button>
        </Box>
      </Box>
    </Box>
  )
}

/** The buttons with a label share one row. The label of the last one wraps if the row is too narrow for it. */
function ChoiceButton(props: ButtonProps) {
  return (
    <Button
      size="sm"
      flex="1 0 auto"
      paddingInline={{ base: '2', md: '3' }}
      fontSize={{ base: 'xs', md: 'sm' }}
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

/** Whether a choice has been made since the page was loaded, in case the browser cannot store it. */
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
  // Fires when another tab stores a choice.
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
