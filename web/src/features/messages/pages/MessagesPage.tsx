import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { BubblesIllustration } from '@/ui/illustrations'
import { Card, VisuallyHidden } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { bottomComposerAttribute } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { ConversationListPanel } from '../components/ConversationListPanel'
import { ConversationSkeleton } from '../components/ConversationSkeleton'
import { ThreadPanel } from '../components/ThreadPanel'
import { usePanelFocus } from '../components/usePanelFocus'

/** Conversations and the open one side by side; on a phone one after the other. `?user=` opens a conversation. */
export default function MessagesPage() {
  useDocumentTitle('Messages')
  const { user, isLoading } = useCurrentUser()
  const [params, setParams] = useSearchParams()
  const selected = params.get('user')?.toLowerCase() ?? null
  // Nobody has a conversation with themselves.
  const open = selected && selected !== user?.id ? selected : null
  const list = useRef<HTMLElement>(null)
  const thread = useRef<HTMLElement>(null)
  usePanelFocus(open, list, thread)

  if (isLoading) return <ConversationSkeleton />
  if (!user) {
    return (
      <EmptyState
        as="h1"
        drawing={<BubblesIllustration />}
        title="Please log in to view messages."
        action={
          <ButtonLink to={paths.login.getHref(paths.messages.getHref(selected ?? undefined))} variant="ember">
            Sign In
          </ButtonLink>
        }
      />
    )
  }
  const select = (userId: string | null) =>
    setParams(userId ? { user: userId } : {}, { replace: open !== null, preventScrollReset: true })

  return (
    <Card
      // Takes the rail's place where there is one: this screen puts nothing there.
      marginInlineEnd={{ xl: 'calc(-1 * ({sizes.rail} + {spacing.6}))' }}
      marginTop={{ base: '-2', md: '0' }}
      position="relative"
      zIndex="raised"
      overflow="hidden"
      borderBlockWidth={{ base: '0', md: '1px' }}
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '15rem minmax(0, 1fr)', xl: '20rem minmax(0, 1fr)' }}
      height={{
        base: 'calc(100dvh - {sizes.header} - {sizes.bottomBar} - env(safe-area-inset-bottom))',
        md: '600px',
      }}
      marginBottom={{ base: '-8', md: '0' }}
    >
      <VisuallyHidden asChild>
        <h1>Messages</h1>
      </VisuallyHidden>
      <Box
        ref={list}
        as="section"
        aria-label="Conversations"
        tabIndex={-1}
        _focusVisible={{ outlineOffset: '-2px' }}
        display={{ base: open ? 'none' : 'block', md: 'block' }}
        minHeight="0"
        borderInlineEndWidth={{ md: '1px' }}
      >
        <ConversationListPanel me={user.id} selected={open} onSelect={select} />
      </Box>
      <Box
        ref={thread}
        as="section"
        aria-label="Conversation"
        tabIndex={-1}
        _focusVisible={{ outlineOffset: '-2px' }}
        {...(open && bottomComposerAttribute)}
        display={{ base: open ? 'block' : 'none', md: 'block' }}
        minHeight="0"
      >
        {open ? (
          <ThreadPanel key={open} me={user.id} otherUserId={open} onBack={() => select(null)} />
        ) : (
          <Box height="100%" display="grid" placeItems="center">
            <EmptyState
              drawing={<BubblesIllustration />}
              title="Select a conversation"
              text="Choose a conversation from the sidebar to start messaging"
            />
          </Box>
        )}
      </Box>
    </Card>
  )
}
