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

const Phone = chakra('div', {
  base: {
    width: '93.75%',
    bg: 'bg',
    borderWidth: '1px',
    borderRadius: 'xl',
    boxShadow: 'high',
    overflow: 'hidden',
  },
})

const glow = 'radial-gradient(closest-side, {colors.ember.glow}, transparent)'

/**
 * Shows two screens of the app: the profile of a creator in front, and messages between her and a fan. Of the messages,
 * only the header and the margin are visible, so that no text is cut off. The bottom fades out, so that the screens can
 * be large and the next section starts in the first window.
 */
export function ProductShots() {
  return (
    <Box position="relative" width="100%" maxWidth={{ base: '20rem', lg: '24rem' }} marginInline="auto">
      <Box aria-hidden position="absolute" inset="-6% -50%" backgroundImage={glow} />
      {/* The mask also cuts off shadows, so that they need space. */}
      <Box
        position="relative"
        height={{ base: '36rem', lg: '41rem' }}
        overflow="clip"
        marginInline="-20"
        paddingInline="20"
        maskImage="linear-gradient(to bottom, {colors.text} 65%, transparent)"
      >
        <Box position="relative" paddingTop={{ base: '2.875rem', lg: '3.5rem' }}>
          <Phone position="absolute" top="0" insetInlineEnd="0" opacity="0.6">
            {/* Only its edges are visible. */}
            <Screenshot name="messages" alt="" />
          </Phone>
          <Phone position="relative">
            <Screenshot
              name="profile"
              alt={t`The profile of a potter on ${appName}, with a photograph of her mugs.`}
            />
          </Phone>
        </Box>
      </Box>
    </Box>
  )
}

const Image = chakra('img', { base: { width: '100%', height: 'auto' } })

/** Shows the screenshot of the current color mode. The other one is not displayed, so the browser does not load it. */
function Screenshot({ name, alt }: { name: string; alt: string }) {
  const url = (mode: string) =>
    urls[`../screenshots/${name}-${mode}-${i18n.locale}.webp`] ??
    urls[`../screenshots/${name}-${mode}-en.webp`]
  const props = { alt, htmlWidth: 585, htmlHeight: 1200, loading: 'lazy' } as const
  return (
    <>
      <Image src={url('light')} {...props} display={{ base: 'block', _dark: 'none' }} />
      <Image src={url('dark')} {...props} display={{ base: 'none', _dark: 'block' }} />
    </>
  )
}
