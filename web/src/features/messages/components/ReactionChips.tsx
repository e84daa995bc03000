import { Box, chakra } from '@chakra-ui/react'
import type { Reaction, ReactionEmoji } from '@contract/message.ts'
import { Tooltip } from '@/ui/Tooltip'
import type { Bubble } from '../model/bubbles'
import { emojiNames } from './emoji-names'
import { useThreadActions } from './thread-actions'

const Chip = chakra('button', {
  base: {
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minHeight: '7',
    paddingInline: '2',
    borderRadius: 'full',
    borderWidth: '1px',
    bg: 'raised',
    color: 'text',
    fontSize: 'sm',
    lineHeight: '1',
    boxShadow: 'low',
    cursor: 'pointer',
    // A finger needs more than the eye.
    _before: { content: '""', position: 'absolute', inset: '-2' },
    _hover: { bg: 'hover' },
  },
  variants: {
    mine: { true: { bg: 'ember.wash', borderColor: 'ember.ring', color: 'ember.text' } },
  },
})

/** The reactions of one message on its edge, each emoji once: a press gives one's own, or takes it back. */
export function ReactionChips({ bubble, own }: { bubble: Bubble; own: boolean }) {
  const { me, name, react } = useThreadActions()
  return (
    <Box
      role="group"
      aria-label="Reactions"
      display="flex"
      flexWrap="wrap"
      gap="1"
      marginTop="-2"
      paddingInline="2"
      justifyContent={own ? 'flex-end' : 'flex-start'}
    >
      {byEmoji(bubble.reactions).map(([emoji, people]) => {
        const mine = people.includes(me)
        const who = people.map((userId) => (userId === me ? 'you' : name)).join(' and ')
        const label = `${emojiNames[emoji]} from ${who}`
        return (
          <Tooltip key={emoji} label={label} side="top">
            <Chip
              type="button"
              mine={mine}
              aria-pressed={mine}
              aria-label={label}
              // The second press of a double click would take back what the first gave.
              onClick={(event) => event.detail < 2 && react(bubble, emoji)}
            >
              <span aria-hidden>{emoji}</span>
              <Box as="span" aria-hidden textStyle="figures" fontWeight="medium">
                {people.length}
              </Box>
            </Chip>
          </Tooltip>
        )
      })}
    </Box>
  )
}

/** Who reacted with what, in the order in which each emoji was first used. */
function byEmoji(reactions: Reaction[]): [ReactionEmoji, string[]][] {
  const people = new Map<ReactionEmoji, string[]>()
  for (const { emoji, userId } of reactions) people.set(emoji, [...(people.get(emoji) ?? []), userId])
  return [...people]
}
