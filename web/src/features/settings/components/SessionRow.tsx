import { Box, chakra } from '@chakra-ui/react'
import type { ActiveSession } from '@contract/auth.ts'
import { describeDevice } from '@contract/device.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/time'
import { signOut } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { PhoneIcon, ScreenIcon } from '@/ui/icons'
import { useEndSession } from '../api/sessions'
import { focusNextRow } from '../focus'
import { sessionsHeadingId } from './sessions-heading'

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
  const device = describeDevice(session.userAgent)
  const facts = useId()
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
        <Facts id={facts}>
          {session.address && <span>{session.address}</span>}
          {session.current ? <span>In use now</span> : <Moment name="Last seen" at={session.lastSeenAt} />}
          <Moment name="Signed in" at={session.createdAt} />
        </Facts>
      </Box>
      {session.current ? <EndThis facts={facts} /> : <End id={session.id} name={device.name} facts={facts} />}
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

/** Two sessions may have the same name: `facts` is the id of what tells them apart. */
function End({ id, name, facts }: { id: string; name: string; facts: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const end = useEndSession(id, () => focusNextRow(button.current, sessionsHeadingId))
  // While it was pressed it was disabled, and could not keep the focus.
  useEffect(() => {
    if (end.isError && document.activeElement === document.body) button.current?.focus()
  }, [end.isError])
  return (
    <Button
      ref={button}
      variant="outline"
      size="sm"
      aria-label={`Log out: ${name}`}
      aria-describedby={facts}
      pending={end.isPending}
      onClick={() => end.mutate()}
    >
      Log out
    </Button>
  )
}

/** Ending the session that one is in is a plain sign-out. */
function EndThis({ facts }: { facts: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-label="Log out: this device"
        aria-describedby={facts}
        onClick={() => setAsking(true)}
      >
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
