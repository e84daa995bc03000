import { chakra } from '@chakra-ui/react'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { linkify, shortenUrl, type TextPart } from '@/lib/linkify'
import { paths } from '@/lib/paths'

// The colour of the text around it: the same link stands on paper and on an ember bubble.
const style = {
  base: {
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
    textDecorationThickness: '1px',
    fontWeight: 'medium',
    borderRadius: 'xs',
    overflowWrap: 'anywhere',
    // Whatever stands around it, an address reads as it is.
    unicodeBidi: 'isolate',
  },
} as const
const Anchor = chakra('a', style)
const InnerLink = chakra(Link, style)

/** What somebody wrote, with its addresses, mentions and hashtags as links. Never renders HTML of theirs. */
export function RichText({ text }: { text: string }) {
  let at = 0
  return linkify(text).map((part) => {
    const key = at
    at += part.text.length
    return <Fragment key={key}>{draw(part)}</Fragment>
  })
}

function draw(part: TextPart) {
  switch (part.kind) {
    case 'link':
      return (
        <Anchor href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc" title={part.href}>
          {shortenUrl(part.text)}
        </Anchor>
      )
    case 'mention':
      return <InnerLink to={paths.profile.getHref(part.handle)}>{part.text}</InnerLink>
    case 'hashtag':
      return <InnerLink to={paths.topic.getHref(part.tag)}>{part.text}</InnerLink>
    default:
      return part.text
  }
}
