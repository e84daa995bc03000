import { UnsubscribeResponse } from '@contract/notification-settings.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'
import { appName } from '@/lib/config'
import { isNotFound } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { hasStoredSession } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout } from '../components/AuthLayout'
import { authErrorText } from '../form-submission'
import { useEmailToken } from '../url-state'

/**
 * `/unsubscribe`: turns off emails about unread activity without requiring a sign-in. The user has to click a button to
 * confirm, because email scanners open every link.
 */
export default function UnsubscribePage() {
  const { token } = useEmailToken()
  const queryClient = useQueryClient()
  const unsubscribe = useMutation({
    mutationFn: () =>
      api.post(withQuery('/api/unsubscribe', { token: token ?? '' }), undefined, UnsubscribeResponse),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: queryKeys.currentUser }),
  })
  const { error } = unsubscribe
  useDocumentTitle(t`Unsubscribe`)
  if (unsubscribe.isSuccess) {
    return (
      <AuthLayout
        isOutcome
        title={t`You're unsubscribed`}
        subtitle={t`We won't email you about unread activity any more. You still get emails about the security of your account. You can turn the emails on again in Settings.`}
      >
        <SettingsLink />
      </AuthLayout>
    )
  }
  if (token === null || isNotFound(error)) {
    return (
      <AuthLayout
        isOutcome
        title={t`This link doesn't work`}
        subtitle={t`It may be incomplete, or the account no longer exists. Sign in to choose your emails in Settings.`}
      >
        <SettingsLink />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      isOutcome={unsubscribe.isError}
      title={unsubscribe.isError ? t`Couldn't unsubscribe you` : t`Unsubscribe from emails?`}
      subtitle={
        unsubscribe.isError
          ? authErrorText(error, t`Check your connection and try again.`)
          : t`${appName} will stop sending emails about unread notifications and messages.`
      }
    >
      <Button
        variant="ember"
        size="lg"
        width="100%"
        pending={unsubscribe.isPending}
        onClick={() => unsubscribe.mutate()}
      >
        {unsubscribe.isError ? t`Try again` : t`Unsubscribe`}
      </Button>
    </AuthLayout>
  )
}

/** Links to the notification settings. For visitors, the link leads to the sign-in page first. */
function SettingsLink() {
  const settings = paths.settings.getHref('notifications')
  return (
    <ButtonLink
      to={hasStoredSession() ? settings : paths.login.getHref(settings)}
      variant="ember"
      size="lg"
      width="100%"
    >
      {hasStoredSession() ? t`Open settings` : t`Sign in`}
    </ButtonLink>
  )
}
