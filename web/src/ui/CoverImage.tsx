import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import { usePublicFileUrl } from '@/lib/config'

/** Shows the cover of a profile, or a gradient if there is none. */
export function CoverImage({
  url,
  lazy = false,
  ...props
}: { url: string | null; lazy?: boolean } & BoxProps) {
  const source = usePublicFileUrl(url)
  return (
    <Box
      overflow="hidden"
      flexShrink="0"
      backgroundImage="radial-gradient(60% 120% at 22% 0%, {colors.ember.glow}, transparent), radial-gradient(50% 130% at 82% 10%, {colors.gold.wash}, transparent), linear-gradient(160deg, {colors.ember.wash}, {colors.sunken})"
      {...props}
    >
      {source && (
        <chakra.img
          src={source}
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
