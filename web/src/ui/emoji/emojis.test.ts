import { readFileSync } from 'node:fs'
import { reactionEmojis } from '@contract/message.ts'
import { expect, it } from 'vitest'
import { emojiId } from './Emoji'
import { emojis } from './EmojiGrid'

it('has a drawing in twemoji.svg for every reaction and every emoji in the picker, and no others', () => {
  const sprite = readFileSync(new URL('./twemoji.svg', import.meta.url), 'utf8')
  const drawn = [...sprite.matchAll(/<view id="([^"]+)"/g)].map(([, id]) => id)
  const shown = new Set([...reactionEmojis, ...emojis.map(([emoji]) => emoji)].map(emojiId))
  expect(drawn.sort()).toEqual([...shown].sort())
})
