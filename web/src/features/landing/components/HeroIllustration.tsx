import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { dollars, formatCount } from '@/lib/format'
import { HeartIcon, LockIcon } from '@/ui/icons'

const Art = chakra('svg', {
  base: {
    display: 'block',
    width: '100%',
    height: 'auto',
    bg: 'stage.dark',
    '& .beam': { fill: '{colors.stage.beam}' },
    '& .floor': { fill: '{colors.stage.floor}' },
    '& .figure': { fill: '{colors.stage.figure}' },
  },
})
const Panel = chakra('div', {
  base: { bg: 'raised', borderWidth: '1px', borderRadius: 'lg', boxShadow: 'high', overflow: 'hidden' },
})
const Bubble = chakra('div', {
  base: {
    position: 'relative',
    width: 'fit-content',
    paddingInline: '4',
    paddingBlock: '2.5',
    borderRadius: 'lg',
    textStyle: 'body',
    boxShadow: 'mid',
  },
})

/** Shows an illustration of the product in the theme's colors: a post, a locked post and a message. */
export function HeroIllustration() {
  const price = dollars(12.5)
  return (
    <Box aria-hidden position="relative" maxWidth="31rem" width="100%" marginInline="auto" paddingBottom="16">
      <Box
        position="absolute"
        inset="-18% -12% -6%"
        backgroundImage="radial-gradient(closest-side, {colors.ember.glow}, transparent)"
      />
      <Panel position="relative" width="78%" marginInlineStart="auto" transform="rotate(1.2deg)">
        <Box display="flex" alignItems="center" gap="3" padding="4">
          <Box
            width="10"
            height="10"
            borderRadius="full"
            bg="ember.wash"
            color="ember.text"
            display="grid"
            placeItems="center"
            fontWeight="semibold"
            outline="2px solid"
            outlineColor="ember.ring"
            outlineOffset="2px"
          >
            M
          </Box>
          <Box flex="1">
            <Box height="2.5" width="40%" borderRadius="full" bg="pressed" />
            <Box height="2" width="24%" borderRadius="full" bg="sunken" marginTop="2" />
          </Box>
        </Box>
        <PerformerOnStage />
        <Box
          display="flex"
          alignItems="center"
          justifyContent="flex-end"
          gap="2"
          minHeight="14"
          paddingInline="5"
          color="ember.text"
          fontSize="xl"
        >
          <HeartIcon filled />
          <Box textStyle="label">{formatCount(2481)}</Box>
        </Box>
      </Panel>

      <Panel
        position="absolute"
        insetInlineStart="0"
        bottom="0"
        width="52%"
        transform="rotate(-2.5deg)"
        padding="4"
      >
        <Box
          height="5.5rem"
          borderRadius="md"
          display="grid"
          placeItems="center"
          fontSize="2xl"
          color="gold.text"
          backgroundImage="linear-gradient(135deg, {colors.gold.wash}, {colors.ember.wash})"
        >
          <LockIcon />
        </Box>
        <Box
          marginTop="3"
          minHeight="10"
          display="grid"
          placeItems="center"
          borderRadius="full"
          bg="gold.solid"
          color="gold.on"
          textStyle="small"
          fontWeight="semibold"
          lineHeight="1.2"
          textAlign="center"
          paddingInline="3"
        >
          {t`Unlock for ${price}`}
        </Box>
      </Panel>

      <Box position="absolute" insetInlineEnd="0" bottom="0" display="grid" gap="2" justifyItems="end">
        <Bubble bg="ember.solid" color="ember.on" borderBottomEndRadius="xs">
          {t`Encore!`}
          <Box
            position="absolute"
            insetInlineStart="-3"
            bottom="-3"
            display="grid"
            placeItems="center"
            width="7"
            height="7"
            bg="raised"
            color="ember.text"
            borderWidth="1px"
            borderRadius="full"
          >
            <HeartIcon filled />
          </Box>
        </Bubble>
      </Box>
    </Box>
  )
}

/** Shows a performer in a spotlight. */
function PerformerOnStage() {
  return (
    <Art viewBox="0 0 380 230" preserveAspectRatio="xMidYMid slice">
      <path d="M190 -20 70 214h240z" className="beam" />
      <path d="M190 -20 118 214h144z" className="beam" />
      <ellipse cx="190" cy="208" rx="120" ry="14" className="floor" />
      <g className="figure">
        <circle cx="190" cy="86" r="13.5" />
        <path d="M184 96h12v10h-12z" />
        <path d="M190 103c16 0 24 6 25 18l3 38-6 49h-15l-7-38-7 38h-15l-6-49 3-38c1-12 9-18 25-18z" />
        <path d="M210 106c14-6 24-22 28-46l9 2c-2 34-14 54-34 64z" />
        <path d="M170 106c-14-6-24-22-28-46l-9 2c2 34 14 54 34 64z" />
        <path d="M0 230v-14c14-12 30-12 44 0 14-14 34-14 48 0 12-10 28-10 40 0 14-14 36-14 50 0 14-12 32-12 46 0 12-10 30-10 42 0 14-14 34-14 48 0 16-12 40-14 62 0v14z" />
      </g>
    </Art>
  )
}
