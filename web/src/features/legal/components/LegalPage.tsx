import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import { LogoLink } from '@/ui/LogoLink'
import { TextAnchor, TextLink } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { contactEmail } from './contact-email'

/** A part of the text, with the anchor that leads to it. */
export interface LegalSection {
  id: string
  title: string
  body: ReactNode
}

/** Text in a readable measure, and as wide as the paper in print. */
const Prose = chakra('div', {
  base: {
    maxWidth: '42rem',
    fontSize: 'lg',
    lineHeight: 'relaxed',
    overflowWrap: 'anywhere',
    '& ul': { paddingInlineStart: '5', listStyle: 'disc', display: 'grid', gap: '2' },
    '& li::marker': { color: 'muted' },
    _print: { maxWidth: 'none', fontSize: '11pt' },
  },
})

const Entry = chakra('a', {
  base: {
    display: 'block',
    paddingBlock: '2.5',
    lineHeight: 'snug',
    textStyle: 'body',
    color: 'muted',
    borderRadius: 'xs',
    _hover: { color: 'text', textDecoration: 'underline' },
  },
})

/** A page of law: what is in it, beside the text where there is room, then section by section. */
export function LegalPage({
  title,
  intro,
  sections,
  other,
}: {
  title: string
  intro: ReactNode
  sections: LegalSection[]
  /** The page that belongs to this one. */
  other: { title: string; href: string }
}) {
  useDocumentTitle(title)
  return (
    <Box
      maxWidth="66rem"
      marginInline="auto"
      paddingInline={{ base: '5', md: '8' }}
      paddingBottom="20"
      _print={{ padding: '0', '& *, & ::marker': { color: 'black !important' } }}
    >
      <Box as="header" display="flex" alignItems="center" minHeight="20" _print={{ display: 'none' }}>
        <LogoLink />
      </Box>
      <Box
        display={{ base: 'block', lg: 'grid' }}
        gridTemplateColumns="15rem minmax(0, 1fr)"
        gridTemplateRows="auto 1fr"
        columnGap="16"
        _print={{ display: 'block' }}
      >
        <Box as="main" id="main" tabIndex={-1} outline="none" gridColumn="2" gridRow="1 / span 2">
          <Box as="h1" textStyle="display" textWrap="balance">
            {title}
          </Box>
          <Box as="p" color="muted" marginTop="2">
            Last updated July 2, 2025
          </Box>
          <Contents sections={sections} hideFrom="lg" marginTop="6" borderBlockWidth="1px" paddingBlock="4" />
          <Prose marginTop="6">
            {intro}
            {sections.map((section) => (
              <Part key={section.id} {...section} />
            ))}
          </Prose>
          <Box
            as="nav"
            aria-label="More"
            display="flex"
            flexWrap="wrap"
            columnGap="6"
            rowGap="1"
            marginTop="12"
            paddingTop="4"
            borderTopWidth="1px"
            maxWidth="42rem"
            _print={{ display: 'none' }}
          >
            <Onward to={other.href}>{other.title}</Onward>
            <Onward to={paths.home.getHref()}>Back to home</Onward>
          </Box>
        </Box>
        <Contents
          sections={sections}
          hideBelow="lg"
          gridColumn="1"
          gridRow="1"
          position="sticky"
          top="8"
          marginTop="2"
        />
      </Box>
    </Box>
  )
}

const Onward = chakra(TextLink, {
  base: { display: 'inline-flex', alignItems: 'center', minHeight: 'target' },
})

const ContentsBox = chakra('nav', { base: { _print: { display: 'none' } } })

function Contents({
  sections,
  ...place
}: { sections: LegalSection[] } & React.ComponentProps<typeof ContentsBox>) {
  return (
    <ContentsBox aria-label="On this page" {...place}>
      <Box textStyle="label">On this page</Box>
      <Box as="ul" listStyleType="none" marginTop="1">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Entry href={`#${id}`}>{title}</Entry>
          </li>
        ))}
      </Box>
    </ContentsBox>
  )
}

function Part({ id, title, body }: LegalSection) {
  return (
    <Box as="section" aria-labelledby={id} marginTop="10">
      <Box
        as="h2"
        id={id}
        textStyle="heading"
        fontSize="xl"
        marginBottom="3"
        scrollMarginTop="6"
        _print={{ breakAfter: 'avoid' }}
      >
        {title}
      </Box>
      <Box display="grid" gap="3">
        {body}
      </Box>
    </Box>
  )
}

/** An address to write to, as a link. */
export function ContactEmail({ of }: { of: Parameters<typeof contactEmail>[0] }) {
  const address = contactEmail(of)
  return (
    <TextAnchor href={`mailto:${address}`} underlined>
      {address}
    </TextAnchor>
  )
}
