import { intervals } from '@contract/intervals.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toaster'

/**
 * Tells whoever is refused a screen for creators `why`, and takes them home after two seconds, unless they leave before
 * that or become a creator.
 */
export function useCreatorsOnlyRedirect(refused: boolean, why: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!refused) return
    toast({ title: 'Creator Pro Required', description: why, tone: 'destructive' })
    const timer = setTimeout(
      () => navigate(paths.home.getHref(), { replace: true }),
      intervals.creatorsOnlyRedirectDelayMs,
    )
    return () => clearTimeout(timer)
  }, [refused, why, navigate])
}
