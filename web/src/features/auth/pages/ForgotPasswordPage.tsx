import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthFrame } from '../AuthFrame'

/** `/forgot-password`: says truly what can be done on this server. */
export default function ForgotPasswordPage() {
  useDocumentTitle('Forgot password')
  return (
    <AuthFrame
      title="Forgot password"
      subtitle="Resetting a password by mail is not set up on this server yet."
    >
      <Box as="p">Please ask whoever runs this server for help with your account.</Box>
      <ButtonLink to={paths.login.getHref()} variant="ember" size="lg" width="100%" marginTop="6">
        Back to sign in
      </ButtonLink>
    </AuthFrame>
  )
}
