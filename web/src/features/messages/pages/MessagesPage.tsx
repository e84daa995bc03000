import { Box } from '@chakra-ui/react'
import { ConversationFilter } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { PencilIcon } from '@/ui/icons'
import { BubblesIllustration } from '@/ui/illustrations'
import { Card, fullHeightAttribute, lowWindow, VisuallyHidden } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { bottomComposerAttribute } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useMinWidth } from '@/ui/useMinWidth'
import { useVisibleArea } from '@/ui/useVisibleArea'
import { ConversationListPanel } from '../components/ConversationListPanel'
import { ConversationSkeleton } from '../components/ConversationRow'
import { ThreadPanel, ThreadPanelSkeleton } from '../components/ThreadPanel'
import { usePanelFocus } from '../components/usePanelFocus'
import { usePreviewedConversation } from '../components/usePreviewedConversation'

/** Shows the conversations of a signed-in user, and asks visitors to sign in. */
export default function MessagesPage() {
  useDocumentTitle(t`Messages`)
  const { user, isLoading } = useCurrentUser()
  const [params] = useSearchParams()
  if (isLoading) return <ConversationSkeleton />
  if (user) return <Messages me={user.id} />
  return (
    <EmptyState
      as="h1"
      illustration={<BubblesIllustration />}
      title={t`Please log in to view messages.`}
      action={
        <ButtonLink
          to={paths.login.getHref(paths.messages.getHref(params.get('user')?.toLowerCase()))}
          variant="ember"
        >
          {t`Sign In`}
        </ButtonLink>
      }
    />
  )
}

/**
 * Shows the conversation list and the open conversation side by side or, on phones, one at a time. `?user=` opens a
 * conversation, and `?filter=` filters the list. On wide screens without `?user=`, the thread panel previews a
 * conversation: until the viewer uses the panel, new messages stay unread, and the other user does not see that the
 * viewer is online. Scrolling with the wheel or moving the focus through the panel does not count as using it.
 */
function Messages({ me }: { me: string }) {
  const [params, setParams] = useSearchParams()
  const urlUserId = params.get('user')?.toLowerCase() ?? null
  // A user cannot have a conversation with themselves.
  const openUserId = urlUserId !== me ? urlUserId : null
  const filter = ConversationFilter.safeParse(params.get('filter')).data
  const isWide = useMinWidth('lg')
  const preview = usePreviewedConversation(filter, openUserId, { enabled: isWide })
  const shownUserId = openUserId || preview.userId
  /** Incremented to remount the thread panel, so that the previewed conversation opens at its first unread message. */
  const [openCount, setOpenCount] = useState(0)
  const listRef = useRef<HTMLElement>(null)
  const threadRef = useRef<HTMLElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  usePanelFocus(openUserId, listRef, threadRef)
  useVisibleArea()

  const setPage = (page: { user: string | null; filter: ConversationFilter | undefined }, replace: boolean) =>
    setParams(
      { ...(page.filter && { filter: page.filter }), ...(page.user && { user: page.user }) },
      { replace, preventScrollReset: true },
    )
  const openConversation = (userId: string | null) => setPage({ user: userId, filter }, shownUserId !== null)
  const selectConversation = (userId: string) => {
    if (userId === preview.userId) setOpenCount(openCount + 1)
    openConversation(userId)
  }
  const endPreview = preview.userId ? () => openConversation(preview.userId) : undefined

  return (
    <Card
      {...fullHeightAttribute}
      flex="1"
      minHeight="0"
      position="relative"
      zIndex="raised"
      overflow="hidden"
      borderBlockWidth={{ base: '0', md: '1px' }}
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '15rem minmax(0, 1fr)', lg: '20rem minmax(0, 1fr)' }}
      gridTemplateRows="minmax(0, 1fr)"
      css={{ [lowWindow]: { borderBlockWidth: '0', borderRadius: '0' } }}
    >
      <VisuallyHidden asChild>
        <h1>{t`Messages`}</h1>
      </VisuallyHidden>
      <Box
        ref={listRef}
        as="section"
        aria-label={t`Conversations`}
        tabIndex={-1}
        _focusVisible={{ outlineOffset: '-2px' }}
        display={{ base: openUserId ? 'none' : 'block', md: 'block' }}
        minHeight="0"
        borderInlineEndWidth={{ md: '1px' }}
      >
        <ConversationListPanel
          me={me}
          selected={shownUserId}
          onSelect={selectConversation}
          filter={filter}
          onFilter={(nextFilter) => setPage({ user: openUserId, filter: nextFilter }, true)}
          searchRef={searchRef}
        />
      </Box>
      <Box
        ref={threadRef}
        as="section"
        aria-label={t`Conversation`}
        tabIndex={-1}
        _focusVisible={{ outlineOffset: '-2px' }}
        {...(shownUserId && bottomComposerAttribute)}
        onPointerDownCapture={endPreview}
        onKeyDownCapture={(event) => countsAsUse(event) && endPreview?.()}
        onInputCapture={endPreview}
        onPasteCapture={endPreview}
        onDropCapture={endPreview}
        display={{ base: openUserId ? 'block' : 'none', md: 'block' }}
        minHeight="0"
      >
        {shownUserId ? (
          <ThreadPanel
            key={`${shownUserId} ${openCount}`}
            me={me}
            otherUserId={shownUserId}
            isPreview={!openUserId}
            onBack={() => openConversation(null)}
          />
        ) : preview.isLoading ? (
          <ThreadPanelSkeleton me={me} />
        ) : (
          <Box height="100%" display="grid" placeItems="center" bg="bg">
            <EmptyState
              illustration={<BubblesIllustration />}
              title={t`Select a conversation`}
              text={t`Choose a conversation from the sidebar to start messaging`}
              action={
                <Button variant="ember" onClick={() => searchRef.current?.focus()}>
                  <PencilIcon /> {t`New message`}
                </Button>
              }
            />
          </Box>
        )}
      </Box>
    </Card>
  )
}

const passiveKeys = new Set(['Tab', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Escape'])

/**
 * Returns false for modifier keys, for keys that move the focus or close something, and for shortcuts, which may be the
 * browser's.
 */
function countsAsUse({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return !passiveKeys.has(key) && !ctrlKey && !altKey && !metaKey
}
