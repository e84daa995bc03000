import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'

const HomeLink = chakra(Link, {
  base: {
    display: 'grid',
    alignItems: 'center',
    minWidth: 'target',
    minHeight: 'target',
    width: 'fit-content',
    justifySelf: 'start',
    borderRadius: 'sm',
  },
})

const Wordmark = chakra('span', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '0.38em',
    fontFamily: 'display',
    fontWeight: 'bold',
    fontSize: 'xl',
    letterSpacing: 'tight',
    lineHeight: '1',
    color: 'text',
  },
})

/** Shows the logo with the product's name, linked to the home page. */
export function LogoLink() {
  return (
    <HomeLink to={paths.home.getHref()} aria-label={t`${appName}, home`}>
      <Wordmark>
        <LogoMark />
        <span>{appName}</span>
      </Wordmark>
    </HomeLink>
  )
}

const Svg = chakra('svg', { base: { width: '1em', height: '1em', flexShrink: 0, display: 'block' } })

/** Draws a light in a ring that is open at the top, at the size of the text. */
function LogoMark() {
  return (
    <Svg viewBox="0 0 32 32" aria-hidden focusable={false}>
      <path
        d="M10.3 6.1a11.5 11.5 0 1 0 11.4 0"
        fill="none"
        stroke="var(--ov-colors-ember-ring)"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
      <path
        d="M16 3.5v6"
        fill="none"
        stroke="var(--ov-colors-ember-ring)"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
      <circle cx="16" cy="17" r="4.25" fill="var(--ov-colors-ember-ring)" />
    </Svg>
  )
}
