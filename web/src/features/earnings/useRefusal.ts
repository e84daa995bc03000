import { limits } from '@contract/limits.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/paths'
import { toast } from '@/ui/toaster'

/** Tells who is refused that this is for creators, and takes them home after two seconds unless they leave before. */
export function useRefusal(refused: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!refused) return
    toast({
      title: 'Creator Pro Required',
      description:
        'Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.',
      tone: 'destructive',
    })
    const home = () => navigate(paths.home.getHref(), { replace: true })
    const timer = setTimeout(home, limits.creatorsOnlyDelay)
    return () => clearTimeout(timer)
  }, [refused, navigate])
}
