import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { ClockIcon, LockIcon } from '@/ui/icons'
import { contentSummary, unlockPrice } from '../model'
import { MediaFrame } from './PostMedia'
import { UnlockDialog } from './UnlockDialog'

/** Shows another user's premium post: its content if it is unlocked, else its teaser and the lock. */
export function PremiumLock({
  post,
  teaser,
  children,
}: {
  post: Post
  teaser: ReactNode
  /** The content. */
  children: ReactNode
}) {
  const { isAuthenticated } = useCurrentUser()
  const [wasLocked] = useState(post.locked)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  // The post was unlocked, here or elsewhere. If it is locked again later, the dialog must not open by itself.
  if (isDialogOpen && !post.locked) setDialogOpen(false)
  return (
    <div ref={root}>
      {post.locked ? (
        <>
          {teaser}
          <LockedMedia
            post={post}
            onUnlock={() => (isAuthenticated ? setDialogOpen(true) : openLoginPage())}
          />
        </>
      ) : (
        <Box animation={wasLocked ? 'fadeIn 200ms {easings.out}' : undefined}>{children}</Box>
      )}
      <UnlockDialog
        post={post}
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => fallbackFocusTarget(root.current?.closest('article'))}
      />
    </div>
  )
}

/** Returns the unlock button or, if it is gone, the post, made focusable. */
function fallbackFocusTarget(article: HTMLElement | null | undefined): HTMLElement | null {
  const button = article?.querySelector<HTMLElement>('[data-unlock]')
  if (button) return button
  if (article) article.tabIndex = -1
  return article ?? null
}

/**
 * Shows the lock in the frame of the image or video, with what the post contains and the unlock button with its price,
 * and whether the post is included in the author's subscription.
 */
function LockedMedia({ post, onUnlock }: { post: Post; onUnlock: () => void }) {
  const price = dollars(unlockPrice(post))
  const authorName = displayName(post.user)
  const overlay = (
    <Box position="absolute" inset="0" display="grid" gridTemplateRows="auto 1fr" placeItems="center">
      {/* Spans the full width, so that it does not look like a button. */}
      <Box
        justifySelf="stretch"
        display="flex"
        alignItems="center"
        gap="2"
        paddingInline="3"
        minHeight="9"
        bg="glass"
        textStyle="small"
        fontWeight="medium"
      >
        <Box
          as="span"
          display="grid"
          placeItems="center"
          width="5"
          height="5"
          borderRadius="full"
          bg="gold.solid"
          color="gold.on"
        >
          <LockIcon />
        </Box>
        <Box as="span" minWidth="0">
          {contentSummary(post) || t`Premium post`}
        </Box>
        {post.unlocksCount !== null && post.unlocksCount > 0 && (
          <Box as="span" marginInlineStart="auto" color="muted" whiteSpace="nowrap">
            <Plural value={post.unlocksCount} one="# unlock" other="# unlocks" />
          </Box>
        )}
      </Box>
      <Box
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        justifyItems="center"
        gap="2"
        width="100%"
        paddingInline="3"
      >
        {post.paymentPending && (
          <Box
            display="flex"
            alignItems="center"
            gap="1.5"
            minHeight="8"
            paddingInline="3"
            borderRadius="full"
            bg="glass"
            textStyle="small"
            fontWeight="medium"
          >
            <ClockIcon /> <Trans>Payment pending</Trans>
          </Box>
        )}
        <Button variant="gold" boxShadow="mid" data-unlock onClick={onUnlock}>
          {post.paymentPending ? t`Continue to payment` : t`Unlock for ${price}`}
        </Button>
        {!post.paymentPending &&
          post.user.isCreator &&
          (post.includedInSubscription ? (
            <SubscribeLink to={paths.profile.getHref(post.user.handle)}>
              <Trans>
                or subscribe to{' '}
                <Box as="bdi" minWidth="0" truncate>
                  {authorName}
                </Box>
              </Trans>
            </SubscribeLink>
          ) : (
            <Box paddingInline="3" borderRadius="full" bg="glass" textStyle="small">
              <Trans>Not part of the subscription</Trans>
            </Box>
          ))}
      </Box>
    </Box>
  )
  return post.mediaType ? <MediaFrame post={post}>{overlay}</MediaFrame> : <TextFrame>{overlay}</TextFrame>
}

const SubscribeLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '1',
    maxWidth: '100%',
    minHeight: '8',
    paddingInline: '3',
    borderRadius: 'full',
    bg: 'glass',
    textStyle: 'small',
    whiteSpace: 'nowrap',
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
  },
})

/** Shows blurred lines in place of a locked text. */
function TextFrame({ children }: { children: ReactNode }) {
  return (
    <Box
      position="relative"
      overflow="hidden"
      marginTop="2.5"
      borderRadius="md"
      borderWidth="1px"
      bg="sunken"
      height="10rem"
    >
      <Box
        aria-hidden
        position="absolute"
        inset="0"
        padding="5"
        display="flex"
        flexDirection="column"
        justifyContent="space-evenly"
        filter="blur(0.25rem)"
      >
        {['92%', '100%', '84%', '96%', '58%'].map((width) => (
          <Box key={width} height="3" borderRadius="full" bg="pressed" style={{ width }} />
        ))}
      </Box>
      {children}
    </Box>
  )
}
