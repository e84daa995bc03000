import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { toast } from '@/ui/toaster'
import { openUpgradeDialog } from '../creator-pro'

/** Shows that a screen is for creators, until `useCreatorsOnlyRedirect` opens the home feed. */
export function CreatorsOnlyNotice() {
  return (
    <Card>
      <EmptyState
        illustration={
          <Box fontSize="4rem" color="gold.text" display="flex" justifyContent="center">
            <LockIcon />
          </Box>
        }
        title={t`For creators only`}
        text={t`Taking you to your home feed…`}
        action={
          // The dialog stays open when the home feed replaces this screen.
          <Button variant="gold" aria-haspopup="dialog" onClick={() => openUpgradeDialog()}>
            {t`Upgrade to Creator Pro`}
          </Button>
        }
      />
    </Card>
  )
}

/**
 * Shows `reason` in a toast when the user is denied access to a screen for creators, and opens the home feed after two
 * seconds, unless the user leaves the screen or becomes a creator first.
 */
export function useCreatorsOnlyRedirect(isDenied: boolean, reason: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isDenied) return
    toast({ title: t`Creator Pro Required`, description: reason, tone: 'destructive' })
    const timer = setTimeout(
      () => navigate(paths.home.getHref(), { replace: true }),
      intervals.creatorsOnlyRedirectDelayMs,
    )
    return () => clearTimeout(timer)
  }, [isDenied, reason, navigate])
}
