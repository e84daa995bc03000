import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { handleRequestError, queryClient } from '@/lib/query-client'
import './error-handling'

const mocks = vi.hoisted(() => ({ toast: vi.fn(), redirectToLogin: vi.fn(), showReadOnlyReason: vi.fn() }))
vi.mock('@/ui/toaster', () => ({ toast: mocks.toast }))
vi.mock('@/session/login-redirect', () => ({ redirectToLogin: mocks.redirectToLogin }))
vi.mock('@/moderation/read-only', () => ({ showReadOnlyReason: mocks.showReadOnlyReason }))

const apiError = (status: number, code: string) =>
  new ApiError(status, JSON.stringify({ message: 'No', code }))

beforeEach(() => vi.clearAllMocks())

test('shows a toast for a failed mutation, with a title and text that may depend on the error', async () => {
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => Promise.reject(apiError(409, 'conflict')),
    meta: {
      errorTitle: (error) => (error instanceof ApiError ? 'Not saved' : undefined),
      errorMessage: (error) => (error instanceof ApiError ? error.serverMessage : null),
    },
  })
  await expect(mutation.execute(undefined)).rejects.toThrow('409:')
  expect(mocks.toast.mock.calls).toEqual([[{ title: 'Not saved', description: 'No', tone: 'destructive' }]])
})

test('shows a toast for any other failed request, with the title "Error" by default', () => {
  const error = new Error('broken')
  handleRequestError(error, { errorTitle: () => undefined, errorMessage: 'Try again.' })
  handleRequestError(error, { errorMessage: () => null })
  expect(mocks.toast.mock.calls).toEqual([
    [{ title: 'Error', description: 'Try again.', tone: 'destructive' }],
  ])
  expect(mocks.showReadOnlyReason).toHaveBeenCalledWith(queryClient, error)
})

test('says in the default title that the connection is lost', () => {
  vi.stubGlobal('navigator', { onLine: false })
  const error = new NetworkError(new TypeError('Failed to fetch'))
  handleRequestError(error, { errorMessage: 'Try again.' })
  vi.stubGlobal('navigator', { onLine: true })
  handleRequestError(error, { errorMessage: 'Try again.' })
  handleRequestError(error, { errorTitle: 'Not saved', errorMessage: 'Try again.' })
  expect(mocks.toast.mock.calls.map(([{ title }]) => title)).toEqual([
    "You're offline",
    "Can't reach Ovation",
    'Not saved',
  ])
  vi.unstubAllGlobals()
})

test('redirects to the login page if the session has ended, but not after a wrong password', () => {
  handleRequestError(apiError(401, 'unauthorized'), { errorMessage: 'Try again.' })
  expect(mocks.redirectToLogin).toHaveBeenCalledTimes(1)
  expect(mocks.toast).not.toHaveBeenCalled()
  handleRequestError(apiError(401, 'invalid_credentials'), { errorMessage: 'Try again.' })
  expect(mocks.redirectToLogin).toHaveBeenCalledTimes(1)
  expect(mocks.toast).toHaveBeenCalledTimes(1)
})
