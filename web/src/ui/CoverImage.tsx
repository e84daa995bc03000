import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import { usePublicFileUrl } from '@/lib/public-file'

/** The picture at the head of a profile; where there is none, the stage before the lights. */
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
