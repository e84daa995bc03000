import { Box, chakra, Grid } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { removePrerenderedPage } from '@/lib/browser'
import { appName, configQuery } from '@/lib/config'
import { dollars, numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { CoinIcon, PeopleIcon, ShieldIcon, SparkIcon } from '@/ui/icons'
import { LanguageSelect } from '@/ui/LanguageSelect'
import { LogoLink } from '@/ui/Logo'
import { SkipLink, TextAnchor } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { CookieBanner } from '../components/CookieBanner'
import { CreatorCards } from '../components/CreatorCards'
import { Stage } from '../components/Stage'

const getBenefits = (): { icon: ReactNode; title: string; text: string }[] => [
  {
    icon: <PeopleIcon />,
    title: t`Build Community`,
    text: t`Bring your fans together and talk with them directly.`,
  },
  {
    icon: <CoinIcon />,
    title: t`Monetize Content`,
    text: t`Earn from premium posts and subscriptions with flexible pricing options.`,
  },
  {
    icon: <ShieldIcon />,
    title: t`Secure Platform`,
    text: t`Protect your content and earnings with bank-level security.`,
  },
  {
    icon: <SparkIcon />,
    title: t`Premium Features`,
    text: t`Grow with advanced analytics, custom branding, and priority support.`,
  },
]

const sectionPadding = { base: '16', lg: '24' }

const Container = chakra('div', {
  base: { width: '100%', maxWidth: '72rem', marginInline: 'auto', paddingInline: { base: '5', md: '8' } },
  variants: { wide: { true: { maxWidth: '100rem' } } },
})

/** Shows the landing page at `/` to visitors. */
export default function LandingPage() {
  useDocumentTitle()
  useLayoutEffect(replacePrerenderedPage, [])
  const hasInteracted = useHasInteracted()
  const { data: config } = useQuery({ ...configQuery, enabled: hasInteracted })
  return (
    <>
      <Content hasProfiles={config?.demoAccounts !== undefined} feePercent={config?.platformFeePercent} />
      <CookieBanner />
    </>
  )
}

/** The page as the build prerenders it, with the skip link that every screen has. */
export function PrerenderedPage() {
  return (
    <>
      <SkipLink />
      <Content />
    </>
  )
}

/**
 * @param hasProfiles whether the creators on the page have profiles, to which it then links
 * @param feePercent the platform's fee on each sale; undefined until it has been loaded
 */
function Content({ hasProfiles = false, feePercent }: { hasProfiles?: boolean; feePercent?: number }) {
  return (
    <>
      <Header />
      <Box as="main" id="main" tabIndex={-1} outline="none" overflowX="clip">
        <Hero hasProfiles={hasProfiles} />
        <Benefits />
        <Creators hasProfiles={hasProfiles} />
        <Earnings feePercent={feePercent} />
        <CallToAction />
      </Box>
      <Footer />
    </>
  )
}

/** Returns whether the visitor has interacted with the page. The server's configuration is requested only then. */
function useHasInteracted(): boolean {
  const [hasInteracted, setHasInteracted] = useState(window.hasInteracted ?? false)
  useEffect(() => {
    const controller = new AbortController()
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'scroll'])
      window.addEventListener(type, () => setHasInteracted(true), {
        once: true,
        passive: true,
        signal: controller.signal,
      })
    return () => controller.abort()
  }, [])
  return hasInteracted
}

/** Removes the prerendered page. If the focus is in it, moves the focus to the same element of the rendered page. */
function replacePrerenderedPage() {
  // If the page disappeared while a mouse button was down, the element under the pointer would not be clicked.
  if (document.querySelector('#prerendered :active')) {
    window.addEventListener('pointerup', () => setTimeout(replacePrerenderedPage), { once: true })
    return
  }
  const { activeElement: focused } = document
  // More than one element may match: the rendered page has two links to the registration form.
  const findSame = (container: string) =>
    [...document.querySelectorAll<HTMLElement>(`${container} :is(a, main)`)].filter(
      (element) =>
        element.tagName === focused?.tagName && element.getAttribute('href') === focused.getAttribute('href'),
    )
  const index = findSame('#prerendered').findIndex((element) => element.matches(':focus'))
  removePrerenderedPage()
  if (index >= 0) findSame('#root')[index]?.focus({ preventScroll: true })
}

const HeaderLink = chakra('a', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 'target',
    paddingInline: '3',
    borderRadius: 'sm',
    textStyle: 'small',
    fontWeight: 'medium',
    color: 'text',
    whiteSpace: 'nowrap',
    _hover: { textDecoration: 'underline' },
  },
})

/** Lies on top of the stage. On phones, it has no links to the sections. */
function Header() {
  return (
    <Box
      as="header"
      className="dark"
      position="absolute"
      insetInline="0"
      top="0"
      zIndex="raised"
      color="text"
      paddingBottom={{ lg: '6' }}
      backgroundImage={{
        base: 'linear-gradient({colors.stage.bg/75}, transparent)',
        md: 'linear-gradient({colors.stage.bg/95}, {colors.stage.bg/75} 60%, transparent)',
      }}
      // The pointer reaches the works below the gradient.
      css={{ pointerEvents: 'none', '& a': { pointerEvents: 'auto' } }}
    >
      <Container display="flex" alignItems="center" columnGap="6" minHeight="14" wide>
        <LogoLink />
        <Box
          as="nav"
          aria-label={t`Sections`}
          hideBelow="md"
          display="flex"
          marginInlineStart="auto"
          marginInlineEnd="-3"
        >
          <HeaderLink href="#why">{t`Features`}</HeaderLink>
          <HeaderLink href="#creators">{t`Creators`}</HeaderLink>
          <HeaderLink href="#earnings">{t`Fees`}</HeaderLink>
        </Box>
      </Container>
    </Box>
  )
}

/** The distance between the top of the page and the heading. It shrinks with the window, so that more text fits. */
const headingStart = {
  base: 'clamp(12.75rem, calc(55svh - 8.75rem), 24rem)',
  md: 'clamp(17rem, calc(100svh - 30rem), 32rem)',
  lg: 'clamp(13rem, calc(100svh - 33rem), 29rem)',
}

/** The heading ends before the third column of the stage, because the works there are bright. */
const headingWidth = { lg: 'calc(min(50vw, 50rem) - 2.5rem)' }

/**
 * Shows works of creators, with the heading in front of them. Dark in both color modes. With `hasProfiles`, the works
 * link to the profiles of their creators.
 */
function Hero({ hasProfiles }: { hasProfiles: boolean }) {
  const minimumPayout = dollars(limits.minimumPayout)
  return (
    <Box
      as="section"
      className="dark"
      position="relative"
      overflow="hidden"
      bg="stage.bg"
      color="text"
      minHeight={{ lg: 'clamp(40rem, 100svh, 62rem)' }}
      backgroundImage="radial-gradient(60rem 24rem at 20% 110%, {colors.ember.glow}, transparent 75%)"
      css={{ '--start': headingStart }}
    >
      <Container
        position="relative"
        zIndex="raised"
        paddingTop="var(--start)"
        paddingBottom={{ base: '12', lg: '8' }}
        wide
        // Lets the pointer reach the works beside the text, which are behind this container.
        css={{ pointerEvents: 'none', '& :is(h1, h1 ~ p, a)': { pointerEvents: 'auto' } }}
      >
        <Box
          as="h1"
          textStyle="hero"
          fontSize={{ base: 'clamp(2.125rem, 11vw, 4rem)', lg: 'clamp(3.5rem, 5.75vw, 5.75rem)' }}
          maxWidth={headingWidth}
          textWrap="balance"
        >
          {t`Your Premium Content Platform`}
        </Box>
        <Box
          as="p"
          textStyle="heading"
          fontSize={{ base: 'lg', md: 'xl', lg: '2xl' }}
          maxWidth={headingWidth}
          marginTop={{ base: '3', md: '4' }}
          textWrap="balance"
        >
          {t`Paid posts, subscriptions and messages from people who make things.`}
        </Box>
        <Box
          as="p"
          textStyle="lead"
          color="muted"
          marginTop={{ base: '3', md: '4' }}
          maxWidth={{ base: '36rem', lg: 'min(36rem, 44vw)' }}
        >
          <Trans>
            Connect with creators, discover exclusive content, and build your community. Join thousands of
            creators already earning from their passion.
          </Trans>
        </Box>
        <Box
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          columnGap="3"
          rowGap="3"
          marginTop={{ base: '5', md: '7' }}
        >
          <ButtonLink to={paths.register.getHref()} variant="ember" size="lg">
            {t`Get Started Free`}
          </ButtonLink>
          <ButtonLink to={paths.login.getHref()} variant="outline" size="lg">
            {t`Sign In`}
          </ButtonLink>
          <Box as="p" textStyle="small" color="muted" flexBasis="100%">
            {t`Weekly payouts from ${minimumPayout}. For adults only (18+).`}
          </Box>
        </Box>
      </Container>
      <Stage hasProfiles={hasProfiles} />
    </Box>
  )
}

function Benefits() {
  return (
    <Box
      as="section"
      aria-labelledby="why"
      borderTopWidth="1px"
      bg="surface"
      paddingTop={{ base: '14', lg: '16' }}
      paddingBottom={{ base: '16', lg: '24' }}
    >
      <Container>
        <Box as="h2" id="why" textStyle="display">
          {t`Why Choose ${appName}?`}
        </Box>
        <Grid
          as="ul"
          listStyleType="none"
          marginTop={{ base: '8', lg: '12' }}
          templateColumns={{ base: '1fr', sm: '1fr 1fr', lg: 'repeat(4, 1fr)' }}
          columnGap="8"
          rowGap="10"
        >
          {getBenefits().map((benefit) => (
            <Box as="li" key={benefit.title} borderTopWidth="1px" borderColor="outline" paddingTop="5">
              <Box fontSize="2xl" color="ember.text">
                {benefit.icon}
              </Box>
              <Box as="h3" textStyle="title" marginTop="4">
                {benefit.title}
              </Box>
              <Box as="p" color="muted" marginTop="2">
                {benefit.text}
              </Box>
            </Box>
          ))}
        </Grid>
      </Container>
    </Box>
  )
}

function Creators({ hasProfiles }: { hasProfiles: boolean }) {
  return (
    <Box
      as="section"
      aria-labelledby="creators"
      borderTopWidth="1px"
      paddingBlock={sectionPadding}
      overflow="clip"
    >
      <Container>
        <Box as="h2" id="creators" textStyle="display">
          {t`For every kind of creator`}
        </Box>
        <Box as="p" textStyle="lead" color="muted" marginTop="3" marginBottom={{ base: '8', lg: '12' }}>
          {t`Share what you know and make with the people who want more of it.`}
        </Box>
        <CreatorCards hasProfiles={hasProfiles} />
      </Container>
    </Box>
  )
}

/** Returns the ways to earn, with the prices and limits that apply on every instance. */
function getEarningWays(): { name: string; price: string; text: string }[] {
  const { subscriptionPrice, premiumPrice, tip } = limits
  const monthlyPrice = dollars(subscriptionPrice)
  const [lowestPrice, highestPrice] = [dollars(premiumPrice.min), dollars(premiumPrice.max)]
  const [lowestTip, highestTip] = [dollars(tip.min), dollars(tip.max)]
  return [
    {
      name: t`Subscriptions`,
      price: t`${monthlyPrice}/month`,
      text: t`Fans subscribe to you and unlock the posts you include.`,
    },
    {
      name: t`Premium posts`,
      price: t`${lowestPrice} to ${highestPrice}`,
      text: t`You set the price of each post. Fans pay once and keep it.`,
    },
    {
      name: t`Tips`,
      price: t`${lowestTip} to ${highestTip}`,
      text: t`Fans thank you for a post or simply for being there.`,
    },
  ]
}

function Earnings({ feePercent }: { feePercent: number | undefined }) {
  const { clearingDays } = limits
  const minimumPayout = dollars(limits.minimumPayout)
  return (
    <Box
      as="section"
      aria-labelledby="earnings"
      borderTopWidth="1px"
      bg="surface"
      paddingBlock={sectionPadding}
    >
      <Container>
        <Box as="h2" id="earnings" textStyle="display">
          {t`Get paid for your work`}
        </Box>
        <CreatorShare feePercent={feePercent} />
        <Grid
          as="dl"
          templateColumns={{ base: '1fr', md: 'repeat(3, minmax(0, 1fr))' }}
          gap={{ base: '4', lg: '5' }}
          marginTop={{ base: '8', lg: '12' }}
        >
          {getEarningWays().map(({ name, price, text }) => (
            <Box key={name} bg="bg" borderWidth="1px" borderRadius="lg" padding={{ base: '5', lg: '6' }}>
              <Box as="dt" textStyle="label" color="muted">
                {name}
              </Box>
              <Box as="dd" textStyle="figure" marginTop="2" overflowWrap="anywhere">
                {price}
              </Box>
              <Box as="dd" color="muted" marginTop="2" textWrap="pretty">
                {text}
              </Box>
            </Box>
          ))}
        </Grid>
        <Box as="p" color="muted" marginTop="6" textWrap="pretty">
          {t`Every sale shows the price, the platform fee and your share. It clears after ${clearingDays} days, and payouts start at ${minimumPayout}.`}
        </Box>
      </Container>
    </Box>
  )
}

/** Shows the creator's share of a sale. Until the fee is loaded, only reserves space, so that nothing moves later. */
function CreatorShare({ feePercent }: { feePercent: number | undefined }) {
  const format = numberFormat({ style: 'percent', maximumFractionDigits: 2 })
  const share = format.format((100 - (feePercent ?? 0)) / 100)
  return (
    <Box
      as="p"
      textStyle="lead"
      color="muted"
      marginTop="3"
      visibility={feePercent === undefined ? 'hidden' : undefined}
    >
      <Trans>You keep {share} of every sale.</Trans>
    </Box>
  )
}

function CallToAction() {
  return (
    <Box
      as="section"
      aria-labelledby="start"
      borderTopWidth="1px"
      paddingBlock={{ base: '20', lg: '32' }}
      backgroundImage="radial-gradient(46rem 22rem at 50% 100%, {colors.ember.glow}, transparent 70%)"
    >
      <Container textAlign="center">
        <Box as="h2" id="start" textStyle="display">
          {t`Ready to Start Creating?`}
        </Box>
        <Box as="p" textStyle="lead" color="muted" marginTop="3">
          {t`Your first post is a minute away.`}
        </Box>
        <ButtonLink to={paths.register.getHref()} variant="ember" size="lg" marginTop="8">
          {t`Sign Up Now - It's Free`}
        </ButtonLink>
      </Container>
    </Box>
  )
}

function Footer() {
  return (
    <Box as="footer" borderTopWidth="1px" paddingBlock="8" textStyle="small" color="muted">
      <Container display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="4">
        <span>
          © {new Date().getFullYear()} {appName}
        </span>
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="6">
          <LanguageSelect compact />
          <Box as="nav" aria-label={t`Legal`} display="flex" gap="6">
            <FooterLink href={paths.terms.getHref()}>{t`Terms of Service`}</FooterLink>
            <FooterLink href={paths.privacy.getHref()}>{t`Privacy Policy`}</FooterLink>
          </Box>
        </Box>
      </Container>
    </Box>
  )
}

function FooterLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <TextAnchor
      href={href}
      target="_blank"
      rel="noopener"
      color="muted"
      display="inline-flex"
      alignItems="center"
      minHeight="target"
    >
      {children}
    </TextAnchor>
  )
}
