import { Box, chakra } from '@chakra-ui/react'
import type { QuotedMessage } from '@contract/message.ts'
import { userTextLine } from '@/ui/user-text-styles'
import { useThreadActions } from './thread-actions'

const Quote = chakra('button', {
  base: {
    display: 'block',
    width: '100%',
    minWidth: '0',
    marginBottom: '1.5',
    paddingInline: '2.5',
    paddingBlock: '1.5',
    borderRadius: 'sm',
    borderInlineStart: '3px solid currentColor',
    textAlign: 'start',
    textStyle: 'small',
    cursor: 'pointer',
    whiteSpace: 'normal',
    _focusVisible: { outlineColor: 'currentColor' },
  },
  variants: {
    own: {
      true: { bg: 'ember.solidHover', color: 'ember.on' },
      false: { bg: 'pressed', color: 'text' },
    },
  },
})

/** What a message answers, in a line; a press goes to it. */
export function QuoteLine({ quote, own }: { quote: QuotedMessage; own: boolean }) {
  const { me, name, goTo } = useThreadActions()
  const writer = quote.senderId === me ? 'You' : name
  const text = quote.deleted ? 'Message deleted' : quote.content || 'Photo'
  return (
    <Quote type="button" own={own} onClick={() => goTo(quote.id)}>
      <Box as="span" display="block" fontWeight="semibold" truncate {...userTextLine}>
        {writer}
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
    </Quote>
  )
}
