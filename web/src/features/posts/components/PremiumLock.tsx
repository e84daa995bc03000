import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { ClockIcon, LockIcon } from '@/ui/icons'
import { unlockPrice } from '../model'
import { MediaFrame } from './MediaFrame'

const kinds = { image: 'Premium picture', video: 'Premium video' } as const

const Subscribe = chakra(Link, {
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

/**
 * In place of what is paid for: the frame it will have, and one button with what it costs; where its author's
 * subscribers get it, the way there, too.
 */
export function PremiumLock({ post, onUnlock }: { post: Post; onUnlock: () => void }) {
  const cover = (
    <Box position="absolute" inset="0" display="grid" gridTemplateRows="auto 1fr" placeItems="center">
      {/* A strip from edge to edge: nothing to press. */}
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
        {post.mediaType ? kinds[post.mediaType] : 'Premium post'}
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
            <ClockIcon /> Payment pending
          </Box>
        )}
        <Button variant="gold" boxShadow="mid" data-unlock onClick={onUnlock}>
          {post.paymentPending ? 'Continue to payment' : `Unlock for ${dollars(unlockPrice(post))}`}
        </Button>
        {!post.paymentPending && post.includedInSubscription && post.user.isCreator && (
          <Subscribe to={paths.profile.getHref(post.user.handle)}>
            or subscribe to
            <Box as="bdi" minWidth="0" truncate>
              {displayName(post.user)}
            </Box>
          </Subscribe>
        )}
      </Box>
    </Box>
  )
  return post.mediaType ? <MediaFrame post={post}>{cover}</MediaFrame> : <TextFrame>{cover}</TextFrame>
}

/** Lines that cannot be read, for words alone. */
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
