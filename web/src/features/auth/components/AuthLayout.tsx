import { Box } from '@chakra-ui/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { paths } from '@/lib/paths'
import { ArrowLeftIcon } from '@/ui/icons'
import { LogoLink } from '@/ui/LogoLink'
import { TextLink } from '@/ui/layout'

/**
 * The frame of the screens outside the app: the name above, one form in the light, the way back below.
 * `isOutcome`: it took the place of a form, so the focus comes to its title and title and text are read out.
 */
export function AuthLayout({
  title,
  subtitle,
  isOutcome = false,
  children,
}: {
  title: string
  subtitle?: ReactNode
  isOutcome?: boolean
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const subtitleId = useId()
  useEffect(() => {
    if (isOutcome) heading.current?.focus({ preventScroll: true })
  }, [isOutcome])
  return (
    <Box
      minHeight="100dvh"
      display="flex"
      flexDirection="column"
      alignItems="center"
      paddingInline={{ base: '3', sm: '4' }}
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
        outline="none"
        width="100%"
        maxWidth="form"
        marginTop="8"
        padding={{ base: '5', sm: '8' }}
        bg="surface"
        borderWidth="1px"
        borderRadius="xl"
        boxShadow="mid"
        overflowWrap="anywhere"
        // On a small screen that is zoomed, what a button says goes on in a second line.
        css={{ '& :is(button, a)': { whiteSpace: 'normal' } }}
      >
        <Box asChild textStyle="heading" outline="none">
          <h1 ref={heading} tabIndex={-1} aria-describedby={subtitle ? subtitleId : undefined}>
            {title}
          </h1>
        </Box>
        {subtitle && (
          <Box as="p" id={subtitleId} color="muted" marginTop="1.5">
            {subtitle}
          </Box>
        )}
        {children && <Box marginTop="7">{children}</Box>}
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
