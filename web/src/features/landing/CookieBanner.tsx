import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { paths } from '@/paths'
import { Button } from '@/ui/Button'
import { CloseIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'

const storageKey = 'cookieChoice'
type Choice = 'accepted' | 'rejected'

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

/** Asks once for a choice about cookies; it covers nothing that the page needs and moves nothing when it goes. */
export function CookieBanner() {
  const [open, setOpen] = useState(() => !stored())
  if (!open) return null

  const choose = (choice: Choice) => {
    try {
      localStorage.setItem(storageKey, choice)
    } catch {
      // Without storage the choice holds for this page only.
    }
    setOpen(false)
  }
  const reject = () => choose('rejected')

  return (
    <Box
      as="section"
      aria-label="Cookies"
      position="fixed"
      zIndex="banner"
      insetInlineEnd={{ base: '3', md: '6' }}
      insetInlineStart={{ base: '3', md: 'auto' }}
      bottom={{ base: 'max(0.75rem, env(safe-area-inset-bottom))', md: '6' }}
      width={{ md: '27rem' }}
      bg="raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="high"
      padding="5"
    >
      <Box display="flex" alignItems="flex-start" justifyContent="space-between" gap="2">
        <Box as="h2" textStyle="title">
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
      <Box display="flex" flexWrap="wrap" gap="2" marginTop="4">
        <Button variant="outline" size="sm" flex="1" minHeight="target" onClick={() => choose('accepted')}>
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
