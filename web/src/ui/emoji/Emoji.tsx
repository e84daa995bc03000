import { chakra } from '@chakra-ui/react'
import sprite from './twemoji.svg'

const Image = chakra('img', {
  base: {
    display: 'inline-block',
    width: '1.2em',
    height: '1.2em',
    verticalAlign: '-0.25em',
    userSelect: 'text',
  },
})

/**
 * Shows an emoji as an image, so that it looks the same on every system. `twemoji.svg` must contain `emoji`. The image
 * is as large as the text around it, and is copied as the emoji character.
 */
export function Emoji({ emoji }: { emoji: string }) {
  return <Image src={`${sprite}#${emojiId(emoji)}`} alt={emoji} draggable={false} />
}

/** Returns the id of an emoji in `twemoji.svg`: its code points, without the variation selector. */
export function emojiId(emoji: string): string {
  return Array.from(emoji, (character) => character.codePointAt(0)?.toString(16))
    .filter((codePoint) => codePoint !== 'fe0f')
    .join('-')
}
