import { Box } from '@chakra-ui/react'
import type { Presence } from '@contract/message.ts'
import type { UserCard } from '@contract/user.ts'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { useOpenTipDialog } from '@/billing/tips'
import { paths } from '@/lib/paths'
import { conversationName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon, CoinIcon } from '@/ui/icons'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { userTextLine } from '@/ui/user-text-styles'
import { LastSeen } from './LastSeen'
import { OnlineIndicator } from './OnlineIndicator'
import { threadHeaderAttributes } from './usePanelFocus'

/** Who the open conversation is with, a tip for them where they are a creator, and the way back to the list on a phone. */
export function ThreadHeader({
  person,
  presence,
  loading,
  online,
  canTip,
  onBack,
}: {
  person: UserCard | undefined
  presence: Presence | undefined
  loading: boolean
  online: boolean
  /** Neither of the two keeps the other away. */
  canTip: boolean
  onBack: () => void
}) {
  const name = conversationName(person)
  return (
    <Box
      {...threadHeaderAttributes}
      role="group"
      aria-label={person ? `Conversation with ${name}` : 'Conversation'}
      _focusVisible={{ outlineOffset: '-2px' }}
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      paddingInline={{ base: '2', md: '4' }}
      borderBottomWidth="1px"
    >
      <Box hideFrom="md">
        <IconButton label="Back to conversations" tooltip={false} onClick={onBack}>
          <ArrowLeftIcon />
        </IconButton>
      </Box>
      {loading && (
        <>
          <SkeletonCircle />
          <Skeleton height="4" width="8rem" />
        </>
      )}
      {person && (
        <Box asChild display="flex" alignItems="center" gap="3" minWidth="0" borderRadius="sm">
          <Link to={paths.profile.getHref(person.handle)}>
            <Box display="grid" position="relative" flexShrink={0}>
              <Avatar person={{ ...person, displayName: name }} />
              {(online || presence?.online) && <OnlineIndicator />}
            </Box>
            <Box minWidth="0">
              <Box as="h2" textStyle="label" truncate {...userTextLine}>
                {name}
              </Box>
              <Box textStyle="small" color="muted" truncate>
                @{person.handle || 'user'}
                <LastSeen here={online} presence={presence} />
              </Box>
            </Box>
          </Link>
        </Box>
      )}
      {person?.isCreator && canTip && <TipAction person={person} />}
    </Box>
  )
}

function TipAction({ person }: { person: UserCard }) {
  const tip = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Box marginInlineStart="auto">
      <IconButton
        ref={button}
        label={`Tip ${conversationName(person)}`}
        aria-haspopup="dialog"
        onClick={() => tip({ creator: person, finalFocus: () => button.current })}
      >
        <CoinIcon />
      </IconButton>
    </Box>
  )
}
