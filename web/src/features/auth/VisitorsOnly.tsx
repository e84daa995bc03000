import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { hasStoredSession, useCurrentUser } from '@/lib/session'
import { Spinner } from '@/ui/Spinner'
import { AuthFrame } from './AuthFrame'
import { useReturnPath } from './useReturnPath'

/** A form by which people come in. Who is signed in already goes on to their place, and is shown no form meanwhile. */
export function VisitorsOnly({ title, children }: { title: string; children: ReactNode }) {
  const { path } = useReturnPath()
  const { isAuthenticated, isLoading } = useCurrentUser()
  if (isAuthenticated) return <Navigate to={path} replace />
  if (isLoading && hasStoredSession()) return <AuthFrame title={title} subtitle={<Spinner />} />
  return children
}
