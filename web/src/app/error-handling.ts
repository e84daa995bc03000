import { queryClient, setErrorHandlers } from '@/lib/query-client'
import { showReadOnlyReason } from '@/moderation/read-only'
import { redirectIfUnauthorized } from '@/session/login-redirect'

// Every failed call passes through here.
setErrorHandlers({
  onQueryError: redirectIfUnauthorized,
  onMutationError: redirectIfUnauthorized,
  onMutationSettled: (error) => void showReadOnlyReason(queryClient, error),
})
