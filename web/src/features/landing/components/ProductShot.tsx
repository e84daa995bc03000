import { Box, chakra } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { appName } from '@/lib/config'

/** The URLs of the screenshots, which scripts/screenshots.mjs creates for each language and color mode. */
const urls = import.meta.glob<string>('../screenshots/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

const glow = 'radial-gradient(closest-side, {colors.ember.glow}, transparent)'

/** The height of the visible part of the profile. */
const visibleHeight = { base: '36rem', lg: '43rem' }

const frame = {
  bg: 'bg',
  borderWidth: '1px',
  borderRadius: 'xl',
  boxShadow: 'high',
  overflow: 'hidden',
} as const

/**
 * Shows the profile of a creator on a phone, and a locked post of another creator in front of it. The bottom of the
 * profile fades out, so that the screenshot can be large without pushing the next section down.
 */
export function ProductShot() {
  return (
    <Box
      position="relative"
      width="100%"
      maxWidth={{ base: '22rem', lg: '30.5rem' }}
      height={visibleHeight}
      marginInline="auto"
    >
      <Box aria-hidden position="absolute" inset="-6% -30%" backgroundImage={glow} />
      {/* The mask also clips shadows, so the padding leaves room for them. */}
      <Box
        position="absolute"
        insetBlockStart="-12"
        insetBlockEnd="0"
        insetInlineStart="-20"
        overflow="clip"
        paddingTop="12"
        paddingInline="20"
        pointerEvents="none"
        maskImage="linear-gradient(to bottom, {colors.text} 63%, transparent 93%)"
      >
        <Box {...frame} width={{ base: '18rem', lg: '21.5625rem' }}>
          <Screenshot
            name="profile"
            width={686}
            height={1400}
            alt={t`The profile of a potter on ${appName}, with a photograph of her mugs and a button to subscribe for $9.99 a month.`}
          />
        </Box>
      </Box>
      <Box
        {...frame}
        position="absolute"
        // Does not cover the subscribe button.
        insetInlineEnd="0"
        bottom="2"
        width={{ base: '14rem', lg: '17rem' }}
      >
        <Screenshot
          name="post"
          width={540}
          height={618}
          alt={t`A locked post of a bicycle mechanic, with a button to unlock it for $5.50.`}
        />
      </Box>
    </Box>
  )
}

const Image = chakra('img', { base: { width: '100%', height: 'auto' } })

/** Shows the screenshot of the current color mode. The other one is not displayed, so the browser does not load it. */
function Screenshot({
  name,
  width,
  height,
  alt,
}: {
  name: 'profile' | 'post'
  width: number
  height: number
  alt: string
}) {
  const url = (mode: string) =>
    urls[`../screenshots/${name}-${i18n.locale}-${mode}.webp`] ??
    urls[`../screenshots/${name}-en-${mode}.webp`]
  const props = { alt, htmlWidth: width, htmlHeight: height, loading: 'lazy' } as const
  return (
    <>
      <Image src={url('light')} {...props} display={{ base: 'block', _dark: 'none' }} />
      <Image src={url('dark')} {...props} display={{ base: 'none', _dark: 'block' }} />
    </>
  )
}
