import { t } from '@lingui/core/macro'
import { appName } from '@/lib/config'
import { isUnauthorized, NetworkError } from '@/lib/errors'
import { type ErrorMeta, queryClient, setErrorHandlers } from '@/lib/query-client'
import { showReadOnlyReason } from '@/moderation/read-only'
import { showConfirmationNeeded } from '@/session/email-confirmation'
import { redirectToLogin } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'

/** Redirects to the login page if the session has ended. Otherwise shows an error toast if `meta` has a message. */
function handleError(error: unknown, meta: ErrorMeta = {}): void {
  if (isUnauthorized(error)) {
    redirectToLogin()
    return
  }
  const { errorTitle, errorMessage } = meta
  const title = typeof errorTitle === 'function' ? errorTitle(error) : errorTitle
  const description = typeof errorMessage === 'function' ? errorMessage(error) : errorMessage
  if (description) toast({ title: title ?? defaultTitle(error), description, tone: 'destructive' })
}

/** Returns the default title of an error toast. If the connection was lost, the title says so. */
function defaultTitle(error: unknown): string {
  if (!(error instanceof NetworkError)) return t`Error`
  return navigator.onLine ? t`Can't reach ${appName}` : t`You're offline`
}

setErrorHandlers({
  onError: handleError,
  onMutationSettled: (error) => {
    void showReadOnlyReason(queryClient, error)
    void showConfirmationNeeded(queryClient, error)
  },
})
