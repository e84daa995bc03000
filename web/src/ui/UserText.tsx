import { chakra } from '@chakra-ui/react'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { linkify, shortenUrl, type TextPart } from './linkify'

/**
 * Shows text that a user wrote, with URLs, mentions and hashtags as links. Never renders the user's HTML. With
 * `underlined`, links are underlined and have the color of the text, for a colored background. Without `linked`, the
 * same parts have their colors but are not links, for text within a link.
 */
export function UserText({
  text,
  underlined,
  linked = true,
}: {
  text: string
  underlined?: boolean
  linked?: boolean
}) {
  let offset = 0
  return linkify(text).map((part) => {
    const key = offset
    offset += part.text.length
    return <Fragment key={key}>{linked ? renderPart(part, underlined) : renderUnlinkedPart(part)}</Fragment>
  })
}

const partStyle = {
  color: 'ember.text',
  fontWeight: 'semibold',
  overflowWrap: 'anywhere',
  // Surrounding text with a different direction must not reorder the URL.
  unicodeBidi: 'isolate',
} as const
const linkStyle = {
  base: {
    ...partStyle,
    textUnderlineOffset: '0.2em',
    textDecorationThickness: '1px',
    _hover: { textDecoration: 'underline' },
    borderRadius: 'xs',
  },
  variants: {
    underlined: { true: { color: 'inherit', fontWeight: 'medium', textDecoration: 'underline' } },
  },
} as const
const ExternalLink = chakra('a', linkStyle)
const InternalLink = chakra(Link, linkStyle)
const UnlinkedPart = chakra('span', { base: partStyle })

function renderUnlinkedPart({ kind, text }: TextPart) {
  if (kind === 'text') return text
  return (
    <UnlinkedPart dir={kind === 'hashtag' ? 'auto' : 'ltr'}>
      {kind === 'link' ? shortenUrl(text) : text}
    </UnlinkedPart>
  )
}

function renderPart(part: TextPart, underlined?: boolean) {
  switch (part.kind) {
    case 'link':
      return (
        <ExternalLink
          underlined={underlined}
          href={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          title={part.href}
        >
          {shortenUrl(part.text)}
        </ExternalLink>
      )
    case 'mention':
      return (
        <InternalLink underlined={underlined} to={paths.profile.getHref(part.handle)} dir="ltr">
          {part.text}
        </InternalLink>
      )
    case 'hashtag':
      return (
        <InternalLink underlined={underlined} to={paths.topic.getHref(part.tag)} dir="auto">
          {part.text}
        </InternalLink>
      )
    default:
      return part.text
  }
}

/**
 * Props for an element that contains only a user's name or text, on a line of its own. The text is displayed and
 * truncated in its own direction but aligned with the app's text. Within a line of the app's text, use `<bdi>`.
 */
export const userTextLine = { dir: 'auto', textAlign: 'left' } as const

/**
 * Props for a block of text that a user wrote. Each paragraph has its own direction and is aligned accordingly. Unlike
 * `dir`, this does not mirror the block's corners and margins.
 */
export const userTextParagraphs = { unicodeBidi: 'plaintext' } as const
