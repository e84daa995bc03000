import { AccessToken, type CreateAccessTokenRequest, CreatedAccessToken } from '@contract/access-token.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '@/lib/api'
import { ignoreNotFound } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'

const tokensUrl = '/api/auth/access-tokens'

/** Lists the user's access tokens, latest first. Refetches on every mount. */
export const accessTokensQuery = queryOptions({
  queryKey: queryKeys.accessTokens,
  queryFn: ({ signal }) => api.get(tokensUrl, z.array(AccessToken), { signal }),
  staleTime: 0,
})

/** Creates an access token. `CreateAccessTokenDialog` shows the errors. */
export function useCreateAccessToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: CreateAccessTokenRequest) => api.post(tokensUrl, form, CreatedAccessToken),
    // Runs after an error too: the token may exist even if the response was lost.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.accessTokens }),
    // The secret stays in memory only while the dialog is open.
    gcTime: 0,
  })
}

/** Revokes an access token. One that no longer exists counts as revoked. */
export function useRevokeAccessToken(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`${tokensUrl}/${id}`)),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: queryKeys.accessTokens })
      client.setQueryData(accessTokensQuery.queryKey, (tokens) => tokens?.filter((token) => token.id !== id))
      toast({ title: t`Access token revoked` })
    },
    meta: { errorMessage: t`Couldn't revoke the access token. Try again.` },
  })
}
