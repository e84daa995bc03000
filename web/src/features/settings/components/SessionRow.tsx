import { Box } from '@chakra-ui/react'
import type { ActiveSession } from '@contract/auth.ts'
import { describeDevice } from '@contract/device.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { deviceText } from '@/lib/text'
import { signOut } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { PhoneIcon, ScreenIcon } from '@/ui/icons'
import { nextRowOrHeading, useFocusAfterRemoval, useRestoreFocus } from '@/ui/restore-focus'
import { TimeAgo } from '@/ui/TimeAgo'
import { useEndSession } from '../api/account'
import { DetailsLine } from './SettingsSection'

/** The id of the heading above the sessions. */
export const sessionsHeadingId = 'sessions'

/** Shows the device, address and times of a session, with a button to end it. */
export function SessionRow({ session }: { session: ActiveSession }) {
  const device = describeDevice(session.userAgent)
  const deviceName = deviceText(device) ?? t`Unknown device`
  const detailsId = useId()
  const focusHandlers = useFocusAfterRemoval(nextRowOrHeading)
  return (
    <Box
      as="li"
      {...focusHandlers}
      display="flex"
      alignItems="center"
      gap="4"
      paddingInline={{ base: '4', md: '6' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
    >
      <Box
        aria-hidden
        display="grid"
        placeItems="center"
        flexShrink="0"
        width="10"
        height="10"
        borderRadius="full"
        bg="sunken"
        color="muted"
        fontSize="xl"
      >
        {device.handheld ? <PhoneIcon /> : <ScreenIcon />}
      </Box>
      <Box flex="1" minWidth="0">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
          <Box as="span" textStyle="label" overflowWrap="anywhere" title={session.userAgent ?? undefined}>
            {deviceName}
          </Box>
          {session.current && <Badge tone="success">{t`This device`}</Badge>}
        </Box>
        <DetailsLine id={detailsId}>
          {session.address && <span>{session.address}</span>}
          <span>
            {session.current ? (
              t`In use now`
            ) : (
              <Trans>
                Last seen <TimeAgo at={session.lastSeenAt} />
              </Trans>
            )}
          </span>
          <span>
            <Trans>
              Signed in <TimeAgo at={session.createdAt} />
            </Trans>
          </span>
        </DetailsLine>
      </Box>
      {session.current ? (
        <EndCurrentSessionButton detailsId={detailsId} />
      ) : (
        <EndSessionButton id={session.id} deviceName={deviceName} detailsId={detailsId} />
      )}
    </Box>
  )
}

/**
 * Shows the button that ends another session. For screen readers, the session's details describe the button, because
 * several devices can have the same name.
 */
function EndSessionButton({
  id,
  deviceName,
  detailsId,
}: {
  id: string
  deviceName: string
  detailsId: string
}) {
  const button = useRef<HTMLButtonElement>(null)
  const endSession = useEndSession(id)
  useRestoreFocus(endSession.isPending, () => button.current)
  return (
    <Button
      ref={button}
      variant="outline"
      size="sm"
      aria-label={t`Log out: ${deviceName}`}
      aria-describedby={detailsId}
      pending={endSession.isPending}
      onClick={() => endSession.mutate()}
    >
      {t`Log out`}
    </Button>
  )
}

/** Shows the button that ends the current session, which signs the user out. */
function EndCurrentSessionButton({ detailsId }: { detailsId: string }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label={t`Log out: this device`}
        aria-describedby={detailsId}
        onClick={() => setDialogOpen(true)}
      >
        {t`Log out`}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => {
          setDialogOpen(false)
          void signOut()
        }}
        title={t`Log out of this device?`}
        text={t`You’ll need to sign in again to come back.`}
        confirmLabel={t`Log out`}
      />
    </>
  )
}
