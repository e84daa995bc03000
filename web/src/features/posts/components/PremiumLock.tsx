import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { ClockIcon } from '@/ui/icons'
import { LazyPart } from '@/ui/LazyPart'
import { LockCircle } from '@/ui/LockCircle'
import { lineTarget } from '@/ui/layout'
import { contentSummary, unlockPrice } from '../model'
import { MediaFrame } from './PostMedia'

const loadDialog = () => import('./UnlockPostDialog')

/** Shows another user's premium post: its content if it is unlocked, otherwise its teaser and the lock. */
export function PremiumLock({
  post,
  teaser,
  large,
  children,
}: {
  post: Post
  teaser: ReactNode
  /** Whether the post is on its own page. */
  large: boolean
  /** The post's content, which is shown if the post is unlocked. */
  children: ReactNode
}) {
  const { isAuthenticated } = useCurrentUser()
  const [wasLocked] = useState(post.locked)
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isDialogOpen, setDialogOpen] = useState<boolean | null>(null)
  const root = useRef<HTMLDivElement>(null)
  // Closes the dialog once the post is unlocked, here or elsewhere. If it is locked again, the dialog stays closed.
  if (isDialogOpen && !post.locked) setDialogOpen(false)
  return (
    <div ref={root}>
      {post.locked ? (
        <>
          {teaser}
          <LockedMedia
            post={post}
            large={large}
            onUnlock={() => (isAuthenticated ? setDialogOpen(true) : openLoginPage())}
          />
        </>
      ) : (
        <Box animation={wasLocked ? 'fadeIn 200ms {easings.out}' : undefined}>{children}</Box>
      )}
      {isDialogOpen !== null && (
        <LazyPart load={loadDialog} onError={() => setDialogOpen(null)}>
          {({ UnlockPostDialog }) => (
            <UnlockPostDialog
              post={post}
              open={isDialogOpen}
              onClose={() => setDialogOpen(false)}
              finalFocus={() => fallbackFocusTarget(root.current?.closest('article'))}
            />
          )}
        </LazyPart>
      )}
    </div>
  )
}

/** Returns the unlock button or, if there is none, the post, which is made focusable. */
function fallbackFocusTarget(article: HTMLElement | null | undefined): HTMLElement | null {
  const button = article?.querySelector<HTMLElement>('[data-unlock]')
  if (button) return button
  if (article) article.tabIndex = -1
  return article ?? null
}

/**
 * The height of the frame that replaces locked text or, in a list, locked media. It is low, so that the price and the
 * button fit on the screen with the teaser.
 */
const lockedHeight = { base: '13rem', md: '10rem' }

/**
 * Shows a panel on top of the blurred image or video, or of blurred lines if the post has neither. The panel contains
 * the lock, a summary of the post's content, a note about the author's subscription, and the unlock button with the
 * price.
 */
function LockedMedia({ post, large, onUnlock }: { post: Post; large: boolean; onUnlock: () => void }) {
  const price = dollars(unlockPrice(post))
  const panel = (
    <Panel>
      <LockCircle boxSize="10" bg="gold.wash" fontSize="xl" />
      <Box flex="1 1 12rem" minWidth="0" textStyle="small">
        <Box fontWeight="medium" textWrap="balance">
          {contentSummary(post) || t`Premium post`}
          {post.unlocksCount !== null && post.unlocksCount > 0 && (
            <>
              {' · '}
              <Box as="span" whiteSpace="nowrap">
                <Plural value={post.unlocksCount} one="# unlock" other="# unlocks" />
              </Box>
            </>
          )}
        </Box>
        <SubscriptionNote post={post} />
      </Box>
      <Button variant="gold" flexGrow={{ base: '1', md: '0' }} data-unlock onClick={onUnlock}>
        {post.paymentPending ? t`Continue to payment` : t`Unlock for ${price}`}
      </Button>
    </Panel>
  )
  if (!post.mediaType) return <TextFrame>{panel}</TextFrame>
  return (
    <MediaFrame
      post={post}
      minHeight={large ? { base: '15rem', md: '12rem' } : lockedHeight}
      maxHeight={large ? '30rem' : lockedHeight}
      // The blur makes colors duller.
      css={{ '& > img': { filter: 'blur(1.25rem) saturate(1.4)' } }}
    >
      {panel}
    </MediaFrame>
  )
}

/** Shows that a payment is pending or, if none is, whether the post is included in the author's subscription. */
function SubscriptionNote({ post }: { post: Post }) {
  const price = dollars(limits.subscriptionPrice)
  if (post.paymentPending) {
    return (
      <Box display="flex" alignItems="center" gap="1.5" color="muted">
        <ClockIcon /> <Trans>Payment pending</Trans>
      </Box>
    )
  }
  if (!post.user.isCreator) return null
  if (!post.includedInSubscription) {
    return (
      <Box color="muted">
        <Trans>Not part of the subscription</Trans>
      </Box>
    )
  }
  return (
    <SubscribeLink to={paths.profile.getHref(post.user.handle)}>
      {t`or subscribe for ${price}/mo`}
    </SubscribeLink>
  )
}

/** A panel at the lower edge of the frame. If it is narrow, the button is below the text. */
const Panel = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: '3',
    bottom: '3',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '3',
    padding: '3',
    bg: 'raised',
    borderWidth: '1px',
    borderRadius: 'md',
    boxShadow: 'mid',
  },
})

const SubscribeLink = chakra(Link, {
  base: {
    display: 'flex',
    gap: '1',
    maxWidth: '100%',
    ...lineTarget,
    borderRadius: 'xs',
    whiteSpace: 'nowrap',
    color: 'muted',
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
  },
})

/** Shows blurred lines in place of locked text. */
function TextFrame({ children }: { children: ReactNode }) {
  return (
    <Box
      position="relative"
      overflow="hidden"
      marginTop="2.5"
      borderRadius="md"
      borderWidth="1px"
      bg="sunken"
      height={lockedHeight}
    >
      <Box
        aria-hidden
        position="absolute"
        inset="0"
        padding="5"
        display="flex"
        flexDirection="column"
        gap="3"
        filter="blur(0.25rem)"
      >
        {['92%', '100%', '84%', '96%', '58%'].map((width) => (
          <Box key={width} flexShrink="0" height="3" borderRadius="full" bg="fill" style={{ width }} />
        ))}
      </Box>
      {children}
    </Box>
  )
}
