import { limits } from '@contract/limits.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { toast } from '@/ui/toaster'

/**
 * True for creators. Anybody else is told `why` and taken home after two seconds, unless they leave before that or
 * become a creator.
 */
export function useCreatorsOnly(why: string): boolean {
  const { user } = useCurrentUser()
  const navigate = useNavigate()
  const refused = user !== null && !user.isCreator
  useEffect(() => {
    if (!refused) return
    toast({ title: 'Creator Pro Required', description: why, tone: 'destructive' })
    const timer = setTimeout(
      () => navigate(paths.home.getHref(), { replace: true }),
      limits.creatorsOnlyDelay,
    )
    return () => clearTimeout(timer)
  }, [refused, why, navigate])
  return user?.isCreator ?? false
}
