import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { ClockIcon, LockIcon } from '@/ui/icons'
import { lineTarget } from '@/ui/layout'
import { contentSummary, unlockPrice } from '../model'
import { MediaFrame } from './PostMedia'

const UnlockDialog = lazy(async () => ({ default: (await import('./UnlockDialog')).UnlockDialog }))

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
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isDialogOpen, setDialogOpen] = useState<boolean | null>(null)
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
      {isDialogOpen !== null && (
        <Suspense fallback={null}>
          <UnlockDialog
            post={post}
            open={isDialogOpen}
            onClose={() => setDialogOpen(false)}
            finalFocus={() => fallbackFocusTarget(root.current?.closest('article'))}
          />
        </Suspense>
      )}
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
 * Shows the lock in the frame of the image or video, whose height is limited, with what the post contains, the unlock
 * button with its price, and whether the post is included in the author's subscription.
 */
function LockedMedia({ post, onUnlock }: { post: Post; onUnlock: () => void }) {
  const price = dollars(unlockPrice(post))
  const authorName = displayName(post.user)
  const overlay = (
    <Box
      position="absolute"
      inset="0"
      containerType="size"
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      alignContent="center"
      justifyItems="center"
      gap="3"
      paddingInline="3"
      textStyle="small"
      {...(post.mediaType && lightText)}
    >
      <LockCircle>
        <LockIcon />
      </LockCircle>
      <Box fontWeight="medium" textAlign="center" textWrap="balance">
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
      <Button variant="gold" boxShadow="mid" data-unlock onClick={onUnlock}>
        {post.paymentPending ? t`Continue to payment` : t`Unlock for ${price}`}
      </Button>
      {post.paymentPending ? (
        <Box display="flex" alignItems="center" gap="1.5">
          <ClockIcon /> <Trans>Payment pending</Trans>
        </Box>
      ) : (
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
          <Box textAlign="center">
            <Trans>Not part of the subscription</Trans>
          </Box>
        ))
      )}
    </Box>
  )
  if (!post.mediaType) return <TextFrame>{overlay}</TextFrame>
  return (
    <MediaFrame post={post} minHeight="9rem" maxHeight="28rem">
      {/* Dark enough for light text on a white picture. */}
      <Box position="absolute" inset="0" bg="stage.figure" opacity="0.6" />
      {overlay}
    </MediaFrame>
  )
}

const lightText = {
  color: 'stage.light',
  css: { '& :focus-visible': { outlineColor: 'stage.light' } },
} as const

/** Smaller in a low frame, and hidden in a lower one. */
const LockCircle = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '12',
    height: '12',
    borderRadius: 'full',
    bg: 'gold.solid',
    color: 'gold.on',
    fontSize: '2xl',
    '@container (max-height: 13rem)': { width: '8', height: '8', fontSize: 'lg' },
    '@container (max-height: 10.5rem)': { display: 'none' },
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
      height="11rem"
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
