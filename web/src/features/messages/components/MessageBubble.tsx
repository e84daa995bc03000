import { Box, chakra } from '@chakra-ui/react'
import { memo } from 'react'
import { shallow } from 'zustand/shallow'
import { fullTime } from '@/lib/format'
import { Button } from '@/ui/Button'
import { AlertIcon } from '@/ui/icons'
import { RichText } from '@/ui/RichText'
import { ownParagraphs } from '@/ui/words'
import { currentOutbox } from '../outbox/useOutbox'
import type { Bubble } from './groups'

const Shape = chakra('div', {
  base: {
    minWidth: '0',
    paddingInline: '3.5',
    paddingBlock: '2',
    borderRadius: 'lg',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    ...ownParagraphs,
  },
  variants: {
    own: {
      true: { bg: 'ember.solid', color: 'ember.on' },
      false: { bg: 'sunken', color: 'text' },
    },
    /** The corner that points at the writer. */
    tail: { true: {} },
    pending: { true: { opacity: 0.6 } },
  },
  compoundVariants: [
    { own: true, tail: true, css: { borderEndEndRadius: 'xs' } },
    { own: false, tail: true, css: { borderEndStartRadius: 'xs' } },
  ],
})

/**
 * One message. Its failure, and what can be done about it, stand beside it. Bubbles are made anew with every message
 * that comes, so they are compared by what is in them: else a long thread would be drawn whole for each.
 */
export const MessageBubble = memo(Drawn, (before, after) => {
  return before.own === after.own && before.tail === after.tail && shallow(before.bubble, after.bubble)
})

function Drawn({ bubble, own, tail }: { bubble: Bubble; own: boolean; tail: boolean }) {
  const failed = bubble.state === 'waiting' || bubble.state === 'refused'
  return (
    <Box data-message={bubble.id} data-state={bubble.state}>
      <Box display="flex" alignItems="center" gap="2" justifyContent={own ? 'flex-end' : 'flex-start'}>
        {failed && (
          <Box color="danger.text" fontSize="xl" flexShrink={0}>
            <AlertIcon />
          </Box>
        )}
        <Shape own={own} tail={tail} pending={bubble.state !== 'sent'} title={fullTime(bubble.createdAt)}>
          <RichText text={bubble.content} />
        </Shape>
      </Box>
      {failed && <Failure bubble={bubble} />}
    </Box>
  )
}

function Failure({ bubble }: { bubble: Bubble }) {
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="flex-end"
      columnGap="4"
      textStyle="caption"
      color="danger.text"
    >
      <span>
        {bubble.state === 'waiting' ? 'Not sent yet. It goes out by itself as soon as it can.' : 'Not sent'}
      </span>
      <Box display="flex" gap="4">
        <Button size="sm" variant="link" paddingInline="0" onClick={() => currentOutbox()?.retry(bubble.id)}>
          Retry
        </Button>
        <Button
          size="sm"
          variant="link"
          paddingInline="0"
          onClick={() => currentOutbox()?.discard(bubble.id)}
        >
          Discard
        </Button>
      </Box>
    </Box>
  )
}
