import { Box } from '@chakra-ui/react'
import { Outlet, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { LogoLink } from '@/ui/LogoLink'
import { TopBar } from './shell/ShellLayout'

/** On a phone 'Sign In' is the last in its row: what it says ends where the row does. */
const atTheEnd = { paddingInline: { base: '3', sm: '5' }, marginInlineEnd: { base: '-3', sm: '0' } }

/** What a visitor sees around a public profile or post: the name, and the way in. */
export function VisitorLayout() {
  const { pathname, search, hash } = useLocation()
  const here = `${pathname}${search}${hash}`
  return (
    <>
      <TopBar>
        <Box
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="3"
          height="header"
          maxWidth="shell"
          marginInline="auto"
          paddingInline={{ base: '4', md: '6' }}
        >
          <LogoLink />
          <Box as="nav" aria-label="Account" display="flex" gap="2">
            <ButtonLink to={paths.login.getHref(here)} variant="ghost" size="md" {...atTheEnd}>
              Sign In
            </ButtonLink>
            <ButtonLink to={paths.register.getHref(here)} variant="ember" size="md" hideBelow="sm">
              Get Started Free
            </ButtonLink>
          </Box>
        </Box>
      </TopBar>
      <Box
        as="main"
        id="main"
        tabIndex={-1}
        outline="none"
        width="100%"
        maxWidth="feed"
        marginInline="auto"
        paddingBlock={{ base: '0', md: '6' }}
      >
        <Outlet />
      </Box>
    </>
  )
}
