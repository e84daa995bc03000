import { Box, chakra } from '@chakra-ui/react'
import type { QuotedMessage } from '@contract/message.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { lazy, type MouseEvent, memo, Suspense } from 'react'
import { useStore } from 'zustand'
import { reachability } from '@/lib/api'
import { fullTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { AlertIcon } from '@/ui/icons'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'
import type { Bubble } from '../model/bubbles'
import { contentPreview, extractPostLink } from '../model/post-link'
import { currentOutbox, useIsInMemoryOnly } from '../outbox/useOutbox'
import { usePostSlots } from '../post-slots'
import { MessageControl } from './MessageControl'
import { MessageImage } from './MessageImage'
import { PaidPhoto } from './PaidPhoto'
import { ReactionChips } from './ReactionChips'
import { SubscribersNote } from './SubscribersNote'
import { composerElement, fallbackFocusTarget, useThreadActions } from './thread-actions'
import { useTouchGestures } from './useTouchGestures'

const VoicePlayer = lazy(() => import('../voice/VoicePlayer'))

const Row = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '1',
  },
  variants: {
    own: { true: { flexDirection: 'row-reverse' }, false: {} },
  },
})

/**
 * The content of a message: a bubble, an image without a bubble or a post's card, or one of the first two with a card.
 */
const Content = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    gap: '1',
    minWidth: '0',
    borderRadius: 'lg',
    // On touch screens, a long press opens the menu, which offers 'Copy', so the text need not be selectable. A double
    // tap must not zoom.
    '@media (pointer: coarse)': {
      userSelect: 'none',
      WebkitTouchCallout: 'none',
      touchAction: 'manipulation',
    },
    // Highlights the message briefly after scrolling to it.
    outline: '3px solid transparent',
    outlineOffset: '2px',
    transition: 'outline-color {durations.slow}',
    '[data-highlight] > * > &': { outlineColor: 'ember.ring' },
  },
  variants: {
    own: { true: { alignItems: 'flex-end' }, false: { alignItems: 'flex-start' } },
    pending: { true: { opacity: 0.7 } },
  },
})

export const BubbleShape = chakra('div', {
  base: {
    minWidth: '0',
    maxWidth: '100%',
    paddingInline: '3.5',
    paddingBlock: '2',
    borderRadius: 'lg',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    ...userTextParagraphs,
  },
  variants: {
    own: {
      true: { bg: 'ownBubble' },
      false: { bg: 'receivedBubble' },
    },
    /** A smaller corner that points to the sender. */
    tail: { true: {} },
    /** Whether the bubble contains an image, which then fills the bubble's width. */
    photo: {
      true: { overflow: 'hidden', padding: '0', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' },
    },
    deleted: {
      true: { bg: 'transparent', color: 'muted', borderWidth: '1px', fontStyle: 'italic' },
    },
  },
  compoundVariants: [
    { own: true, tail: true, css: { borderEndEndRadius: 'xs' } },
    { own: false, tail: true, css: { borderEndStartRadius: 'xs' } },
  ],
})

/**
 * Shows a message with its quote, reactions and menu button, or with its error and the buttons to retry or discard it.
 * Memoized, because otherwise each new message would render the whole thread again.
 */
export const MessageBubble = memo(function MessageBubble({
  bubble,
  own,
  tail,
  isTabStop,
}: {
  bubble: Bubble
  own: boolean
  tail: boolean
  /** Whether the menu button is in the tab order; the arrow keys move to the others. */
  isTabStop: boolean
}) {
  const { toggleMenu, addHeart } = useThreadActions()
  const failed = bubble.state === 'waiting' || bubble.state === 'refused'
  const gestures = useTouchGestures({
    onLongPress: (element) => toggleMenu(bubble.id, element),
    onDoubleTap: () => addHeart(bubble),
  })
  return (
    <Box data-message={bubble.id} data-state={bubble.state} tabIndex={-1} outline="none">
      <Row own={own}>
        <Content
          own={own}
          pending={bubble.state !== 'sent'}
          title={fullTime(bubble.createdAt)}
          {...(bubble.message && !bubble.deleted ? gestures : {})}
        >
          {bubble.deleted ? (
            <BubbleShape own={own} tail={tail} deleted>
              {t`Message deleted`}
            </BubbleShape>
          ) : (
            <MessageContent bubble={bubble} own={own} tail={tail} />
          )}
        </Content>
        {failed && (
          <Box color="danger.text" fontSize="xl" flexShrink={0}>
            <AlertIcon />
          </Box>
        )}
        {bubble.message && !bubble.deleted && <MessageControl bubble={bubble} isTabStop={isTabStop} />}
      </Row>
      {bubble.message?.toSubscribers && !bubble.deleted && <SubscribersNote own={own} />}
      {bubble.reactions.length > 0 && <ReactionChips bubble={bubble} own={own} />}
      {(failed || bubble.queued) && <UnsentStatus bubble={bubble} />}
    </Box>
  )
})

function MessageContent({ bubble, own, tail }: { bubble: Bubble; own: boolean; tail: boolean }) {
  const { image, voice, replyTo, edited } = bubble
  const { Card } = usePostSlots()
  const Photo = bubble.paidPhoto ? PaidPhoto : MessageImage
  const { text, postId } = extractPostLink(bubble.content)
  const card = postId && (
    <PostFrame>
      <Card postId={postId} sentMessage={(own && bubble.message) || undefined} />
    </PostFrame>
  )
  const quote = replyTo && <QuoteLine quote={replyTo} />
  if (voice) {
    return (
      <BubbleShape own={own} tail={tail}>
        {quote}
        {voice.url || voice.blob ? (
          // As wide as a quote above it, but with a minimum width.
          <Box width="0" minWidth="max(100%, min(17rem, 66vw))" minHeight="target">
            <Suspense>
              <VoicePlayer bubble={bubble} voice={voice} />
            </Suspense>
          </Box>
        ) : (
          <Box fontStyle="italic">{t`Voice message unavailable`}</Box>
        )}
      </BubbleShape>
    )
  }
  const editedLabel = edited && (
    <Box as="span" textStyle="caption" marginInlineStart="1.5">
      {t({ message: 'edited', context: 'message' })}
    </Box>
  )
  if (text === '' && !quote && (image || card)) {
    return (
      <>
        {image && <Photo bubble={bubble} image={image} />}
        {card}
        {editedLabel && <Box color="muted">{editedLabel}</Box>}
      </>
    )
  }
  return (
    <>
      <BubbleShape own={own} tail={tail && !card} photo={!!image}>
        {image ? (
          <>
            {quote && (
              <Box padding="2" width="0" minWidth="100%" css={{ '& > button': { marginBottom: '0' } }}>
                {quote}
              </Box>
            )}
            <Photo bubble={bubble} image={image} inBubble />
            {(text !== '' || editedLabel) && (
              // The text does not widen the bubble beyond the image.
              <Box paddingInline="3.5" paddingBlock="2" width="0" minWidth="100%">
                <UserText text={text} underlined />
                {editedLabel}
              </Box>
            )}
          </>
        ) : (
          <>
            {text === '' && !editedLabel ? (
              <Box css={{ '& > button': { marginBottom: '0' } }}>{quote}</Box>
            ) : (
              quote
            )}
            <UserText text={text} underlined />
            {editedLabel}
          </>
        )}
      </BubbleShape>
      {card}
    </>
  )
}

/** The frame of a post's card, which has a fixed width. */
export const PostFrame = chakra('div', { base: { width: 'min(18rem, 66vw)', maxWidth: '100%' } })

const QuoteButton = chakra('button', {
  base: {
    display: 'block',
    width: '100%',
    minWidth: '0',
    marginBottom: '1.5',
    paddingInline: '2.5',
    paddingBlock: '1.5',
    borderEndRadius: 'sm',
    borderInlineStart: '3px solid',
    borderColor: 'muted',
    bg: 'surface/60',
    textAlign: 'start',
    textStyle: 'small',
    cursor: 'pointer',
    whiteSpace: 'normal',
  },
})

/** Shows the message that this one replies to; a click scrolls to it. */
function QuoteLine({ quote }: { quote: QuotedMessage }) {
  const { me, name, goToMessage } = useThreadActions()
  const senderName = quote.senderId === me ? t`You` : name
  const text = quote.deleted
    ? t`Message deleted`
    : contentPreview(quote.content, quote.voiceSeconds) || t`Photo`
  return (
    <QuoteButton type="button" onClick={() => goToMessage(quote.id)}>
      <Box as="span" display="block" fontWeight="semibold" truncate {...userTextLine}>
        {senderName}
      </Box>
      <Box
        as="span"
        display="block"
        lineClamp={2}
        overflowWrap="anywhere"
        fontStyle={quote.deleted ? 'italic' : undefined}
        dir="auto"
      >
        {text}
      </Box>
    </QuoteButton>
  )
}

const unsentTexts: Record<Exclude<Bubble['state'], 'sent'>, MessageDescriptor> = {
  pending: msg`Sending after the message above`,
  waiting: msg`Not sent yet`,
  refused: msg`Not sent`,
}

/** Shows why a message is not sent, with buttons to retry or discard it. Moves the focus when a click removes them. */
function UnsentStatus({ bubble }: { bubble: Bubble }) {
  const isInMemoryOnly = useIsInMemoryOnly(bubble.id)
  const isReachable = useStore(reachability, ({ reachable }) => reachable)
  const retry = () => {
    currentOutbox()?.retry(bubble.id)
    fallbackFocusTarget(bubble.id)?.focus({ preventScroll: true })
  }
  const discard = (event: MouseEvent) => {
    currentOutbox()?.discard(bubble.id)
    // Only after a key press: focusing the composer after a tap would open the on-screen keyboard.
    if (event.detail === 0) composerElement()?.focus({ preventScroll: true })
  }
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="flex-end"
      columnGap="4"
      textStyle="caption"
      color={bubble.queued ? 'muted' : 'danger.text'}
    >
      <span>
        {bubble.state === 'waiting' && !isReachable
          ? t`Not sent yet. We'll keep trying.`
          : bubble.state !== 'sent' && t(unsentTexts[bubble.state])}
        {isInMemoryOnly && (
          <Box as="span" display="block">
            {t`Keep this page open until it's sent.`}
          </Box>
        )}
      </span>
      <Box display="flex" gap="4">
        {!bubble.queued && (
          <Button size="sm" variant="link" paddingInline="0" onClick={retry}>
            {t`Try again`}
          </Button>
        )}
        <Button size="sm" variant="link" paddingInline="0" onClick={discard}>
          {t`Discard`}
        </Button>
      </Box>
    </Box>
  )
}
