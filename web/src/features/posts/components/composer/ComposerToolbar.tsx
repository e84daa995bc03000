import { Box, chakra } from '@chakra-ui/react'
import { videoTypes } from '@contract/media.ts'
import type { RefObject } from 'react'
import { Button } from '@/ui/Button'
import { FileIconButton } from '@/ui/FileButton'
import { ImageIcon, LockIcon, VideoIcon } from '@/ui/icons'
import type { MediaKind } from '../../chosen-media'
import { EmojiPicker } from './EmojiPicker'

/** Characters left at which the counter appears. */
const countFrom = 500
const imageTypes = 'image/jpeg,image/png,image/gif'

const PremiumSwitch = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    minWidth: 'target',
    height: 'target',
    paddingInline: { base: '0', sm: '3' },
    borderRadius: 'full',
    textStyle: 'label',
    color: 'text',
    cursor: 'pointer',
    '& svg': { fontSize: 'xl' },
    _hover: { bg: 'hover' },
    _disabled: { opacity: 0.55, cursor: 'not-allowed' },
    '&[aria-checked=true]': { bg: 'gold.wash', color: 'gold.text' },
  },
})

const stuck = { position: 'sticky', bottom: '-2', zIndex: 'raised', bg: 'raised', paddingBlock: '3' } as const

/** The line below a composer: what can be added, how much room is left, and the way out. */
export function ComposerToolbar({
  canSell,
  isPremium,
  onPremium,
  onFile,
  onEmoji,
  returnTo,
  left,
  posting,
  uploading,
  sticky,
}: {
  /** Offers the premium switch. */
  canSell: boolean
  isPremium: boolean
  onPremium: (isPremium: boolean) => void
  onFile: (file: File, wanted: MediaKind) => void
  onEmoji: (emoji: string) => void
  /** Where the focus goes after an emoji. */
  returnTo: RefObject<HTMLElement | null>
  /** Characters left. */
  left: number
  posting: boolean
  uploading: boolean
  /** Stays at the lower edge of what scrolls. */
  sticky: boolean
}) {
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap={{ base: '0', sm: '1' }}
      marginTop="2"
      marginInlineStart="-2.5"
      {...(sticky && stuck)}
    >
      <FileIconButton
        label="Add an image"
        accept={imageTypes}
        disabled={posting}
        onFile={(file) => onFile(file, 'image')}
      >
        <ImageIcon />
      </FileIconButton>
      <FileIconButton
        label="Add a video"
        accept={videoTypes.join(',')}
        disabled={posting}
        onFile={(file) => onFile(file, 'video')}
      >
        <VideoIcon />
      </FileIconButton>
      <EmojiPicker onChoose={onEmoji} returnTo={returnTo} />
      {canSell && (
        <PremiumSwitch
          type="button"
          role="switch"
          aria-checked={isPremium}
          aria-label="Premium"
          disabled={posting}
          onClick={() => onPremium(!isPremium)}
        >
          <LockIcon />
          <Box as="span" hideBelow="sm">
            Premium
          </Box>
        </PremiumSwitch>
      )}
      {/* On a small screen a line of its own, above the buttons. */}
      <Box
        role="status"
        order={{ base: '-1', sm: '0' }}
        width={{ base: '100%', sm: 'auto' }}
        marginInlineStart={{ sm: 'auto' }}
        marginInlineEnd={{ sm: '3' }}
        textAlign="end"
        textStyle="small"
        fontVariantNumeric="tabular-nums"
        whiteSpace="nowrap"
        color={left < 0 ? 'danger.text' : 'muted'}
      >
        {left <= countFrom && (left < 0 ? `${-left} too many` : `${left} left`)}
      </Box>
      <Button
        type="submit"
        variant="ember"
        marginInlineStart={{ base: 'auto', sm: '0' }}
        pending={posting}
        pendingLabel={uploading ? 'Uploading...' : 'Posting...'}
        disabled={left < 0}
      >
        Post
      </Button>
    </Box>
  )
}
