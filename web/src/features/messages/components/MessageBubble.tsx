import { Box, chakra } from '@chakra-ui/react'
import { type MouseEvent, memo } from 'react'
import { fullTime } from '@/lib/format'
import { Button } from '@/ui/Button'
import { AlertIcon } from '@/ui/icons'
import { RichText } from '@/ui/UserText'
import { userTextParagraphs } from '@/ui/user-text-styles'
import type { Bubble } from '../model/bubbles'
import { currentOutbox, useIsInMemoryOnly } from '../outbox/useOutbox'
import { MessageControl } from './MessageControl'
import { MessageImage } from './MessageImage'
import { composerElement, fallbackFocusTarget } from './message-focus'
import { QuoteLine } from './QuoteLine'
import { ReactionChips } from './ReactionChips'
import { useThreadActions } from './thread-actions'
import { useLongPress } from './useLongPress'

const Row = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '1',
    '@media (hover: hover)': {
      '& [data-control]': { opacity: 0 },
      '&:hover [data-control], & [data-control]:focus-visible, & [data-control][aria-expanded=true]': {
        opacity: 1,
      },
    },
  },
  variants: {
    own: { true: { flexDirection: 'row-reverse' }, false: {} },
  },
})

const Shape = chakra('div', {
  base: {
    minWidth: '0',
    paddingInline: '3.5',
    paddingBlock: '2',
    borderRadius: 'lg',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    ...userTextParagraphs,
    // On a phone a long press is for the menu, in which 'Copy' is.
    '@media (pointer: coarse)': { userSelect: 'none', WebkitTouchCallout: 'none' },
    // What was gone to is lit up for a moment.
    outline: '3px solid transparent',
    outlineOffset: '2px',
    transition: 'outline-color {durations.slow}',
    '[data-lit] > * > &': { outlineColor: 'ember.ring' },
  },
  variants: {
    own: {
      true: { bg: 'ember.solid', color: 'ember.on' },
      false: { bg: 'sunken', color: 'text' },
    },
    /** The corner that points at the writer. */
    tail: { true: {} },
    pending: { true: { opacity: 0.6 } },
    deleted: {
      true: { bg: 'transparent', color: 'muted', borderWidth: '1px', fontStyle: 'italic' },
    },
    /** A picture reaches to the edge. */
    picture: { true: { padding: '1' } },
  },
  compoundVariants: [
    { own: true, tail: true, css: { borderEndEndRadius: 'xs' } },
    { own: false, tail: true, css: { borderEndStartRadius: 'xs' } },
  ],
})

/**
 * One message with what it answers, its reactions and its menu. Its failure, and what can be done about it, stand
 * beside it. The same bubble is drawn once: else a long thread would be drawn whole for each message that comes.
 */
export const MessageBubble = memo(function MessageBubble({
  bubble,
  own,
  tail,
  reachable,
}: {
  bubble: Bubble
  own: boolean
  tail: boolean
  /** Its menu is the one that the Tab key finds; arrows lead to the others. */
  reachable: boolean
}) {
  const { openMenu } = useThreadActions()
  const failed = bubble.state === 'waiting' || bubble.state === 'refused'
  const longPress = useLongPress((element) => openMenu(bubble.id, element))
  return (
    <Box data-message={bubble.id} data-state={bubble.state} tabIndex={-1} outline="none">
      <Row own={own}>
        <Shape
          own={own}
          tail={tail}
          pending={bubble.state !== 'sent'}
          deleted={bubble.deleted}
          picture={bubble.image !== null && !bubble.deleted}
          title={fullTime(bubble.createdAt)}
          {...(bubble.message ? longPress : {})}
        >
          {bubble.deleted ? 'Message deleted' : <Content bubble={bubble} own={own} />}
        </Shape>
        {failed && (
          <Box color="danger.text" fontSize="xl" flexShrink={0}>
            <AlertIcon />
          </Box>
        )}
        {bubble.message && !bubble.deleted && <MessageControl bubble={bubble} reachable={reachable} />}
      </Row>
      {bubble.reactions.length > 0 && <ReactionChips bubble={bubble} own={own} />}
      {(failed || bubble.queued) && <Unsent bubble={bubble} />}
    </Box>
  )
})

function Content({ bubble, own }: { bubble: Bubble; own: boolean }) {
  const { image, replyTo } = bubble
  const text = (bubble.content !== '' || bubble.edited) && (
    <>
      <RichText text={bubble.content} />
      {bubble.edited && (
        <Box as="span" textStyle="caption" marginInlineStart="1.5">
          edited
        </Box>
      )}
    </>
  )
  if (!image) {
    return (
      <>
        {replyTo && <QuoteLine quote={replyTo} own={own} />}
        {text}
      </>
    )
  }
  return (
    <>
      {replyTo && <QuoteLine quote={replyTo} own={own} />}
      <MessageImage bubble={bubble} image={image} />
      {text && (
        // As wide as the picture: a long line does not stretch the frame.
        <Box paddingInline="2.5" paddingTop="1.5" paddingBottom="1" width="0" minWidth="100%">
          {text}
        </Box>
      )}
    </>
  )
}

const unsentText = {
  sent: '',
  pending: 'Waits for the message above.',
  waiting: 'Not sent yet. It is tried again by itself.',
  refused: 'Not sent',
} satisfies Record<Bubble['state'], string>

/** Why a message is not sent, and what can be done about it: these buttons go, so that the focus is put elsewhere. */
function Unsent({ bubble }: { bubble: Bubble }) {
  const onlyHere = useIsInMemoryOnly(bubble.id)
  const retry = () => {
    currentOutbox()?.retry(bubble.id)
    fallbackFocusTarget(bubble.id)?.focus({ preventScroll: true })
  }
  const discard = (event: MouseEvent) => {
    currentOutbox()?.discard(bubble.id)
    // Pressed by a finger, it must not bring up the keyboard of a phone.
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
        {unsentText[bubble.state]}
        {onlyHere && (
          <Box as="span" display="block">
            This browser keeps it only while this page is open.
          </Box>
        )}
      </span>
      <Box display="flex" gap="4">
        {!bubble.queued && (
          <Button size="sm" variant="link" paddingInline="0" onClick={retry}>
            Retry
          </Button>
        )}
        <Button size="sm" variant="link" paddingInline="0" onClick={discard}>
          Discard
        </Button>
      </Box>
    </Box>
  )
}
