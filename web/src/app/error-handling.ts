import { queryClient, setErrorHandlers } from '@/lib/query-client'
import { showReadOnlyReason } from '@/moderation/read-only'
import { redirectIfUnauthorized } from '@/session/login-redirect'

// Handles the errors of all queries and mutations.
setErrorHandlers({
  onQueryError: redirectIfUnauthorized,
  onMutationError: redirectIfUnauthorized,
  onMutationSettled: (error) => void showReadOnlyReason(queryClient, error),
})
