import type { ReactionEmoji } from '@contract/message.ts'

/** What a screen reader calls each, and what its tooltip says. */
export const emojiNames: Record<ReactionEmoji, string> = {
  '👍': 'Thumbs up',
  '❤️': 'Heart',
  '😂': 'Laughing',
  '😮': 'Surprised',
  '😢': 'Sad',
  '😡': 'Angry',
  '👏': 'Applause',
  '🔥': 'Fire',
}
