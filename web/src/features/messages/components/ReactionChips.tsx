import { Box, chakra } from '@chakra-ui/react'
import type { Reaction, ReactionEmoji } from '@contract/message.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Emoji } from '@/ui/emoji/Emoji'
import { Tooltip } from '@/ui/Tooltip'
import type { Bubble } from '../model/bubbles'
import { useThreadActions } from './thread-actions'

const Chip = chakra('button', {
  base: {
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minHeight: '1.375rem',
    paddingInline: '1.5',
    borderRadius: 'full',
    borderWidth: '1px',
    bg: 'raised',
    color: 'text',
    fontSize: 'xs',
    lineHeight: '1',
    boxShadow: 'low',
    cursor: 'pointer',
    // Enlarges the touch target beyond the visible chip.
    _before: { content: '""', position: 'absolute', inset: '-0.375rem -0.5rem -1rem' },
    _hover: { bg: 'hover' },
  },
  variants: {
    selected: { true: { bg: 'ember.wash', borderColor: 'ember.ring', color: 'ember.text' } },
  },
})

/** Shows the reactions of a message, one chip per emoji; a click adds or removes the user's own. */
export function ReactionChips({ bubble, own }: { bubble: Bubble; own: boolean }) {
  const { me, name, react } = useThreadActions()
  return (
    <Box
      role="group"
      aria-label={t`Reactions`}
      display="flex"
      flexWrap="wrap"
      gap="1"
      marginTop="-2"
      // Keeps the chips clear of the bubble's tail.
      paddingInline="5"
      justifyContent={own ? 'flex-end' : 'flex-start'}
    >
      {groupByEmoji(bubble.reactions).map(([emoji, userIds]) => {
        const selected = userIds.includes(me)
        const emojiName = t(emojiNames[emoji])
        const label = !selected
          ? t`${emojiName} from ${name}`
          : userIds.length > 1
            ? t`${emojiName} from you and ${name}`
            : t`${emojiName} from you`
        return (
          <Tooltip key={emoji} label={label} side="top">
            <Chip
              type="button"
              selected={selected}
              aria-pressed={selected}
              aria-label={label}
              // Ignores the second click of a double click, which would undo the first.
              onClick={(event) => event.detail < 2 && react(bubble, emoji)}
            >
              <Emoji emoji={emoji} />
              {userIds.length > 1 && (
                <Box as="span" aria-hidden textStyle="tabularNumbers" fontWeight="medium">
                  {userIds.length}
                </Box>
              )}
            </Chip>
          </Tooltip>
        )
      })}
    </Box>
  )
}

/** Returns the ids of the users who reacted with each emoji, in the order in which the emojis were first used. */
function groupByEmoji(reactions: Reaction[]): [ReactionEmoji, string[]][] {
  const userIds = new Map<ReactionEmoji, string[]>()
  for (const { emoji, userId } of reactions) userIds.set(emoji, [...(userIds.get(emoji) ?? []), userId])
  return [...userIds]
}

/** The accessible names and tooltips of the reactions. */
export const emojiNames: Record<ReactionEmoji, MessageDescriptor> = {
  '👍': msg`Thumbs up`,
  '❤️': msg`Heart`,
  '😂': msg`Laughing`,
  '😮': msg`Surprised`,
  '😢': msg`Sad`,
  '😡': msg`Angry`,
  '👏': msg`Applause`,
  '🔥': msg`Fire`,
}
