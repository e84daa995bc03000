import { Box, type BoxProps, chakra } from '@chakra-ui/react'

/** The picture at the head of a profile; where there is none, the stage before the lights. */
export function Cover({ url, lazy = false, ...props }: { url: string | null; lazy?: boolean } & BoxProps) {
  return (
    <Box
      overflow="hidden"
      flexShrink="0"
      backgroundImage="radial-gradient(60% 120% at 22% 0%, {colors.ember.glow}, transparent), radial-gradient(50% 130% at 82% 10%, {colors.gold.wash}, transparent), linear-gradient(160deg, {colors.ember.wash}, {colors.sunken})"
      {...props}
    >
      {url && (
        <chakra.img
          src={url}
          alt=""
          width="100%"
          height="100%"
          objectFit="cover"
          loading={lazy ? 'lazy' : undefined}
          decoding="async"
        />
      )}
    </Box>
  )
}
