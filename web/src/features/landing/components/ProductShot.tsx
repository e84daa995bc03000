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

/** Shows the profile of a creator on a phone. The bottom fades out, so that it can be large and the next section starts early. */
export function ProductShot() {
  return (
    <Box position="relative" width="100%" maxWidth={{ base: '18.75rem', lg: '22.5rem' }} marginInline="auto">
      <Box aria-hidden position="absolute" inset="-6% -50%" backgroundImage={glow} />
      {/* The mask also cuts off shadows, so that they need space. */}
      <Box
        position="relative"
        height={{ base: '33rem', lg: '38rem' }}
        overflow="clip"
        marginInline="-20"
        paddingInline="20"
        maskImage="linear-gradient(to bottom, {colors.text} 65%, transparent)"
      >
        <Box bg="bg" borderWidth="1px" borderRadius="xl" boxShadow="high" overflow="hidden">
          <Screenshot alt={t`The profile of a potter on ${appName}, with a photograph of her mugs.`} />
        </Box>
      </Box>
    </Box>
  )
}

const Image = chakra('img', { base: { width: '100%', height: 'auto' } })

/** Shows the screenshot of the current color mode. The other one is not displayed, so the browser does not load it. */
function Screenshot({ alt }: { alt: string }) {
  const url = (mode: string) =>
    urls[`../screenshots/profile-${mode}-${i18n.locale}.webp`] ??
    urls[`../screenshots/profile-${mode}-en.webp`]
  const props = { alt, htmlWidth: 585, htmlHeight: 1200, loading: 'lazy' } as const
  return (
    <>
      <Image src={url('light')} {...props} display={{ base: 'block', _dark: 'none' }} />
      <Image src={url('dark')} {...props} display={{ base: 'none', _dark: 'block' }} />
    </>
  )
}
