import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const Svg = chakra('svg', {
  base: {
    width: '100%',
    height: 'auto',
    display: 'block',
    '& .fill': { fill: 'var(--ov-colors-sunken)' },
    '& .line': {
      stroke: 'var(--ov-colors-outline)',
      strokeWidth: 2,
      fill: 'none',
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
    },
    '& .lit': {
      stroke: 'var(--ov-colors-ember-ring)',
      strokeWidth: 2.5,
      fill: 'none',
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
    },
    '& .glow': { fill: 'var(--ov-colors-ember-glow)' },
    '& .spot': { fill: 'var(--ov-colors-ember-ring)' },
  },
})

/** All illustrations share a style: a glow on the floor, gray lines and one ember line. Decorative. */
function Illustration({ children }: { children: ReactNode }) {
  return (
    <Svg viewBox="0 0 144 104" aria-hidden focusable={false}>
      <ellipse className="glow" cx="72" cy="88" rx="52" ry="9" />
      {children}
    </Svg>
  )
}

/** A microphone on a stage: no posts yet. */
export const StageIllustration = () => (
  <Illustration>
    <path className="glow" d="M72 4 38 86h68z" opacity="0.5" />
    <path className="line" d="M72 88V46M58 88h28" />
    <rect className="fill" x="63" y="22" width="18" height="26" rx="9" />
    <rect className="lit" x="63" y="22" width="18" height="26" rx="9" />
    <path className="line" d="M66 32h12M66 38h12" />
  </Illustration>
)
/** Two speech bubbles: no messages yet. */
export const BubblesIllustration = () => (
  <Illustration>
    <path className="fill" d="M24 22h58v32H46l-12 11V54H24z" />
    <path className="line" d="M24 22h58v32H46l-12 11V54H24zM36 34h34M36 42h20" />
    <path className="lit" d="M94 42h26v28h-8v10l-11-10H64v-6" />
    <circle className="spot" cx="98" cy="56" r="2" />
    <circle className="spot" cx="106" cy="56" r="2" />
    <circle className="spot" cx="90" cy="56" r="2" />
  </Illustration>
)
/** A magnifying glass with a beam of light: no search results. */
export const SearchIllustration = () => (
  <Illustration>
    <path className="glow" d="M66 38 30 88h84z" opacity="0.55" />
    <circle className="fill" cx="66" cy="38" r="20" />
    <circle className="lit" cx="66" cy="38" r="20" />
    <path className="line" d="m81 53 19 19M56 36a11 11 0 0 1 10-9" />
  </Illustration>
)
/** A bell: no notifications. */
export const BellIllustration = () => (
  <Illustration>
    <path className="fill" d="M48 70s8-6 8-26a16 16 0 0 1 32 0c0 20 8 26 8 26z" />
    <path className="line" d="M48 70s8-6 8-26a16 16 0 0 1 32 0c0 20 8 26 8 26zM72 28v-6" />
    <path className="lit" d="M65 78a8 8 0 0 0 14 0" />
  </Illustration>
)
/** A cloud with an exclamation mark: something failed to load. */
export const CloudIllustration = () => (
  <Illustration>
    <path className="fill" d="M44 66a16 16 0 0 1 0-32 24 24 0 0 1 46-5 18.5 18.5 0 0 1 8 37z" />
    <path className="line" d="M44 66a16 16 0 0 1 0-32 24 24 0 0 1 46-5 18.5 18.5 0 0 1 8 37z" />
    <path className="lit" d="M72 40v13M72 60v.2" />
  </Illustration>
)
/** A curtain with a question mark: the page does not exist. */
export const CurtainIllustration = () => (
  <Illustration>
    <path className="line" d="M22 16h100" />
    <path className="fill" d="M28 16h28c0 30-8 48-28 66zM116 16H88c0 30 8 48 28 66z" />
    <path
      className="line"
      d="M28 16v66c20-18 28-36 28-66M38 16c0 26-3 44-10 58M116 16v66c-20-18-28-36-28-66M106 16c0 26 3 44 10 58"
    />
    <path className="lit" d="M67 46a6 6 0 1 1 8 6c-2 1-3 2-3 5M72 66v.2" />
  </Illustration>
)
/** A bar chart: no analytics yet. */
export const ChartIllustration = () => (
  <Illustration>
    <path className="line" d="M28 88h88" />
    <path className="fill" d="M38 60h14v28H38zM65 44h14v44H65z" />
    <path className="line" d="M38 60h14v28M38 60v28M65 44h14v44M65 44v44" />
    <path className="lit" d="M92 26h14v62M92 26v62" />
  </Illustration>
)
/** A stack of coins: no earnings yet. */
export const CoinsIllustration = () => (
  <Illustration>
    <ellipse className="fill" cx="72" cy="78" rx="28" ry="9" />
    <path className="line" d="M44 62v16c0 5 12.5 9 28 9s28-4 28-9V62M44 70c0 5 12.5 9 28 9s28-4 28-9" />
    <ellipse className="fill" cx="72" cy="62" rx="28" ry="9" />
    <ellipse className="lit" cx="72" cy="62" rx="28" ry="9" />
    <ellipse className="lit" cx="88" cy="30" rx="10" ry="14" />
  </Illustration>
)
/** Two picture frames: an empty gallery. */
export const FramesIllustration = () => (
  <Illustration>
    <rect className="fill" x="28" y="26" width="44" height="36" rx="4" />
    <path
      className="line"
      d="M32 26h36a4 4 0 0 1 4 4v28a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4V30a4 4 0 0 1 4-4zM34 56l11-13 8 9 5-5 8 9"
    />
    <rect className="fill" x="62" y="38" width="54" height="44" rx="5" />
    <rect className="lit" x="62" y="38" width="54" height="44" rx="5" />
    <path className="lit" d="M69 75l14-17 10 11 6-6 11 12" />
    <circle className="spot" cx="101" cy="51" r="4" />
  </Illustration>
)
/** A shield with a check mark: no reports or decisions. */
export const ShieldIllustration = () => (
  <Illustration>
    <path className="fill" d="M72 16c8 6 17 9 26 9v22c0 18-11 29-26 35-15-6-26-17-26-35V25c9 0 18-3 26-9z" />
    <path className="line" d="M72 16c8 6 17 9 26 9v22c0 18-11 29-26 35-15-6-26-17-26-35V25c9 0 18-3 26-9z" />
    <path className="lit" d="m61 48 8 9 15-17" />
  </Illustration>
)
/** A key: no access tokens yet. */
export const KeyIllustration = () => (
  <Illustration>
    <path className="fill" d="M62 42h52v10h-6v12h-9V52h-8v8h-9v-8H62z" />
    <path className="line" d="M62 42h52v10h-6v12h-9V52h-8v8h-9v-8H62" />
    <circle className="fill" cx="46" cy="47" r="20" />
    <circle className="lit" cx="46" cy="47" r="20" />
    <circle className="spot" cx="40" cy="47" r="5" />
  </Illustration>
)
