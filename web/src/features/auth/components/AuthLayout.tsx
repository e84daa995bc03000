import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useIsMutating } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Navigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { ArrowLeftIcon } from '@/ui/icons'
import { LanguageSelect } from '@/ui/LanguageSelect'
import { LogoLink } from '@/ui/Logo'
import { TextLink } from '@/ui/layout'
import { Spinner } from '@/ui/Skeleton'
import { useReturnPath } from '../url-state'

/**
 * Shows a page outside the app shell: the logo, a card with a form, a link to the home page and the language menu.
 *
 * @param isOutcome whether the page shows a result in place of a form. If so, the title receives the focus, so that
 *   screen readers read it and the subtitle, and there is no language menu, because changing the language would remount
 *   the page and show the form again.
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
  const headingRef = useRef<HTMLHeadingElement>(null)
  const subtitleId = useId()
  const isSubmitting = useIsMutating() > 0
  useEffect(() => {
    if (isOutcome) headingRef.current?.focus({ preventScroll: true })
  }, [isOutcome])
  return (
    <Box
      minHeight="100dvh"
      display="flex"
      flexDirection="column"
      alignItems="center"
      paddingInline={{ base: '3', sm: '4' }}
      paddingBlock={{ base: '6', md: '8' }}
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
        marginTop={{ base: '5', md: '6' }}
        padding={{ base: '5', sm: '8' }}
        bg="surface"
        borderWidth="1px"
        borderRadius="xl"
        boxShadow="mid"
        overflowWrap="anywhere"
        // Button labels wrap on a small or zoomed screen.
        css={{ '& :is(button, a)': { whiteSpace: 'normal' } }}
      >
        <Box asChild textStyle="heading" outline="none">
          <h1 ref={headingRef} tabIndex={-1} aria-describedby={subtitle ? subtitleId : undefined}>
            {title}
          </h1>
        </Box>
        {subtitle && (
          <Box as="p" id={subtitleId} color="muted" marginTop="1.5">
            {subtitle}
          </Box>
        )}
        {children && <Box marginTop="6">{children}</Box>}
      </Box>
      <Box
        as="footer"
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent={isOutcome ? 'center' : 'space-between'}
        columnGap="4"
        width="100%"
        maxWidth="form"
        marginTop="3"
        // Aligns the text with that of the card.
        paddingInline={{ base: '5', sm: '8' }}
      >
        <TextLink
          to={paths.home.getHref()}
          color="muted"
          display="inline-flex"
          alignItems="center"
          gap="2"
          minHeight="target"
        >
          <ArrowLeftIcon /> {t`Back to home`}
        </TextLink>
        {!isOutcome && <LanguageSelect compact disabled={isSubmitting} />}
      </Box>
    </Box>
  )
}

/**
 * Shows a sign-in or registration form. A user who is already signed in is redirected without seeing the form.
 */
export function RedirectIfSignedIn({ title, children }: { title: string; children: ReactNode }) {
  const { path } = useReturnPath()
  const { isAuthenticated, isLoading } = useCurrentUser()
  if (isAuthenticated) return <Navigate to={path} replace />
  if (isLoading && hasStoredSession()) return <AuthLayout title={title} subtitle={<Spinner />} />
  return children
}
