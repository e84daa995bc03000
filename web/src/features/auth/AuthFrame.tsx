import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { paths } from '@/paths'
import { ArrowLeftIcon } from '@/ui/icons'
import { LogoLink } from '@/ui/LogoLink'
import { TextLink } from '@/ui/layout'

/** The frame of the screens outside the app: the name above, one form in the light, the way back below. */
export function AuthFrame({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle: string
  children: ReactNode
}) {
  return (
    <Box
      minHeight="100dvh"
      display="flex"
      flexDirection="column"
      alignItems="center"
      paddingInline="4"
      paddingBlock={{ base: '8', md: '12' }}
      backgroundImage="radial-gradient(44rem 26rem at 50% -6rem, {colors.ember.glow}, transparent 70%)"
    >
      <header>
        <LogoLink />
      </header>
      <Box
        as="main"
        id="main"
        tabIndex={-1}
        width="100%"
        maxWidth="form"
        marginTop="8"
        padding={{ base: '5', sm: '8' }}
        bg="surface"
        borderWidth="1px"
        borderRadius="xl"
        boxShadow="mid"
      >
        <Box as="h1" textStyle="heading">
          {title}
        </Box>
        <Box as="p" color="muted" marginTop="1.5" marginBottom="7">
          {subtitle}
        </Box>
        {children}
      </Box>
      <footer>
        <TextLink
          to={paths.home.getHref()}
          marginTop="4"
          color="muted"
          display="inline-flex"
          alignItems="center"
          gap="2"
          minHeight="target"
          paddingInline="3"
        >
          <ArrowLeftIcon /> Back to home
        </TextLink>
      </footer>
    </Box>
  )
}
