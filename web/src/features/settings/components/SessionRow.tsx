import { Box, chakra } from '@chakra-ui/react'
import type { ActiveSession } from '@contract/auth.ts'
import { useState } from 'react'
import { fullTime, timeAgo } from '@/lib/format'
import { signOut } from '@/lib/session'
import { useNow } from '@/lib/useNow'
import { Button } from '@/ui/Button'
import { Badge } from '@/ui/CountBadge'
import { ConfirmDialog } from '@/ui/Dialog'
import { PhoneIcon, ScreenIcon } from '@/ui/icons'
import { useEndSession } from '../api/sessions'
import { deviceOf } from '../device'

/** In a line with dots between them; on a phone one below the other. */
const Facts = chakra('div', {
  base: {
    display: { base: 'grid', md: 'block' },
    textStyle: 'small',
    color: 'muted',
    overflowWrap: 'anywhere',
    '& > span + span::before': { content: '" · "', display: { base: 'none', md: 'inline' } },
  },
})

/** One place where somebody is signed in: on what, from where, since when, and the way to end it. */
export function SessionRow({ session }: { session: ActiveSession }) {
  const device = deviceOf(session.userAgent)
  return (
    <Box
      as="li"
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
            {device.name}
          </Box>
          {session.current && <Badge tone="success">This device</Badge>}
        </Box>
        <Facts>
          {session.address && <span>{session.address}</span>}
          {session.current ? <span>In use now</span> : <Moment name="Last seen" at={session.lastSeenAt} />}
          <Moment name="Signed in" at={session.createdAt} />
        </Facts>
      </Box>
      {session.current ? <EndThis /> : <End id={session.id} name={device.name} />}
    </Box>
  )
}

function Moment({ name, at }: { name: string; at: string }) {
  const now = useNow()
  return (
    <span>
      {name}{' '}
      <time dateTime={at} title={fullTime(at)}>
        {timeAgo(at, now)}
      </time>
    </span>
  )
}

function End({ id, name }: { id: string; name: string }) {
  const end = useEndSession(id)
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={`Log out: ${name}`}
      pending={end.isPending}
      onClick={() => end.mutate()}
    >
      Log out
    </Button>
  )
}

/** Ending the session that one is in is a plain sign-out. */
function EndThis() {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="outline" size="sm" aria-label="Log out: this device" onClick={() => setAsking(true)}>
        Log out
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          void signOut()
        }}
        title="Log out of this device?"
        text="You will have to sign in again to come back."
        confirmLabel="Log out"
      />
    </>
  )
}
