import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { Spinner } from '@/ui/Spinner'
import { useReturnPath } from '../url-state'
import { AuthLayout } from './AuthLayout'

/** A form by which people come in. Who is signed in already goes on to their place, and is shown no form meanwhile. */
export function RedirectIfSignedIn({ title, children }: { title: string; children: ReactNode }) {
  const { path } = useReturnPath()
  const { isAuthenticated, isLoading } = useCurrentUser()
  if (isAuthenticated) return <Navigate to={path} replace />
  if (isLoading && hasStoredSession()) return <AuthLayout title={title} subtitle={<Spinner />} />
  return children
}
