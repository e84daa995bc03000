import { Box } from '@chakra-ui/react'
import { useLayoutEffect, useRef } from 'react'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { CloseIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'
import { type CookieChoice, saveCookieChoice, useHasCookieChoice } from './cookie-choice'

/** Asks for a choice about cookies until there is one. Stands last in the page, and nothing has to wait for it. */
export function CookieBanner() {
  return useHasCookieChoice() ? null : <Banner />
}

function choose(choice: CookieChoice) {
  saveCookieChoice(choice)
  // The button that was pressed is gone: the keyboard goes on at the page's content.
  document.getElementById('main')?.focus({ preventScroll: true })
}
const accept = () => choose('accepted')
const reject = () => choose('rejected')

/**
 * Sticks to the window's lower edge, but has a place of its own at the end of the page: whoever scrolls there sees
 * everything above it, too.
 */
function Banner() {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const root = document.documentElement
    // What gets the focus is scrolled to where the banner does not hide it.
    root.style.scrollPaddingBottom = `${(box.current?.offsetHeight ?? 0) + 32}px`
    return () => {
      root.style.scrollPaddingBottom = ''
    }
  }, [])

  return (
    <Box
      as="section"
      ref={box}
      aria-labelledby="cookies"
      position="sticky"
      zIndex="banner"
      bottom={{ base: 'max(0.75rem, env(safe-area-inset-bottom))', md: '6' }}
      marginInline={{ base: '3', md: '6' }}
      marginInlineStart={{ md: 'auto' }}
      marginBottom={{ base: '3', md: '6' }}
      width={{ md: '27rem' }}
      bg="raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="high"
      padding={{ base: '4', md: '5' }}
    >
      <Box display="flex" alignItems="flex-start" justifyContent="space-between" gap="2">
        <Box as="h2" id="cookies" textStyle="title">
          Your cookies, your choice
        </Box>
        <Button variant="ghost" size="icon" aria-label="Close" onClick={reject} margin="-2.5" color="muted">
          <CloseIcon />
        </Button>
      </Box>
      <Box as="p" textStyle="small" color="muted" marginTop="2">
        We keep one cookie that signs you in. With your agreement we may add others that help us improve. Read
        the{' '}
        <TextAnchor href={paths.privacy.getHref()} target="_blank" rel="noopener" underlined>
          Privacy Policy
        </TextAnchor>
        .
      </Box>
      <Box display="flex" flexWrap="wrap" columnGap="2" rowGap="1" marginTop="4">
        <Button variant="outline" size="sm" flex="1" minHeight="target" onClick={accept}>
          Accept All
        </Button>
        <Button variant="outline" size="sm" flex="1" minHeight="target" onClick={reject}>
          Reject All
        </Button>
        <Button variant="ghost" size="sm" flex="1 0 100%" minHeight="target" onClick={reject}>
          Manage Cookie Settings
        </Button>
      </Box>
    </Box>
  )
}
