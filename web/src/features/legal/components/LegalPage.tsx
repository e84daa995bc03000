import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ComponentProps, ReactNode } from 'react'
import { dateFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LogoLink } from '@/ui/Logo'
import { TextAnchor, TextLink } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** A section of a legal text. `id` is its anchor. */
export interface LegalSection {
  id: string
  title: string
  body: ReactNode
}

/** Text with a readable line length. When printed, it is as wide as the paper. */
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

const ContentsLink = chakra('a', {
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

/** Shows a legal text with a table of contents, which is next to the text on wide screens. */
export function LegalPage({
  title,
  intro,
  sections,
  lastUpdated,
  relatedPage,
}: {
  title: string
  intro: ReactNode
  sections: LegalSection[]
  lastUpdated: Date
  /** The page that is linked at the end of the text. */
  relatedPage: { title: string; href: string }
}) {
  useDocumentTitle(title)
  const date = dateFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(lastUpdated)
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
            {t`Last updated ${date}`}
          </Box>
          <TableOfContents
            sections={sections}
            hideFrom="lg"
            marginTop="6"
            borderBlockWidth="1px"
            paddingBlock="4"
          />
          <Prose marginTop="6">
            {intro}
            {sections.map((section) => (
              <Section key={section.id} {...section} />
            ))}
          </Prose>
          <Box
            as="nav"
            aria-label={t`Related pages`}
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
            <PageLink to={relatedPage.href}>{relatedPage.title}</PageLink>
            <PageLink to={paths.home.getHref()}>{t`Back to home`}</PageLink>
          </Box>
        </Box>
        <TableOfContents
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

const PageLink = chakra(TextLink, {
  base: { display: 'inline-flex', alignItems: 'center', minHeight: 'target' },
})

const ContentsNav = chakra('nav', { base: { _print: { display: 'none' } } })

function TableOfContents({
  sections,
  ...styles
}: { sections: LegalSection[] } & ComponentProps<typeof ContentsNav>) {
  return (
    <ContentsNav aria-label={t`On this page`} {...styles}>
      <Box textStyle="label">{t`On this page`}</Box>
      <Box as="ul" listStyleType="none" marginTop="1">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <ContentsLink href={`#${id}`}>{title}</ContentsLink>
          </li>
        ))}
      </Box>
    </ContentsNav>
  )
}

function Section({ id, title, body }: LegalSection) {
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

/** Shows a contact address as a link. */
export function ContactEmail({ name }: { name: ContactName }) {
  const address = contactEmail(name)
  return (
    <TextAnchor href={`mailto:${address}`} underlined>
      {address}
    </TextAnchor>
  )
}

const configuredEmails = {
  support: import.meta.env.VITE_SUPPORT_EMAIL,
  privacy: import.meta.env.VITE_PRIVACY_EMAIL,
}
type ContactName = keyof typeof configuredEmails

/** Returns the contact address set at build time, or `name` at the site's own domain. */
export function contactEmail(name: ContactName, host = window.location.hostname): string {
  return configuredEmails[name] || `${name}@${emailDomain(host)}`
}

/** Returns the host without `www.`, or `localhost` for an IP address, which is only used for local development. */
function emailDomain(host: string): string {
  return /^[\d.]+$|:/.test(host) ? 'localhost' : host.replace(/^www\./, '')
}
