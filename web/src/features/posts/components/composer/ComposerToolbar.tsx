import { Box, chakra } from '@chakra-ui/react'
import { videoTypes } from '@contract/media.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Emoji } from '@/ui/emoji/Emoji'
import { FileIconButton } from '@/ui/FileButton'
import { ImageIcon, LockIcon, SmileIcon, VideoIcon } from '@/ui/icons'
import { Popover } from '@/ui/Popover'
import { acceptedImageTypes, type MediaKind } from '../../chosen-media'
import { remainingCharactersText } from '../../model'

/** The counter appears when at most this many characters remain. */
const counterThreshold = 500

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

const stickyStyle = {
  position: 'sticky',
  bottom: '-2',
  zIndex: 'raised',
  bg: 'raised',
  paddingBlock: '3',
} as const

/** Shows the buttons below a composer, the number of remaining characters, and the submit button. */
export function ComposerToolbar({
  canSell,
  isPremium,
  onPremiumChange,
  onFile,
  onEmoji,
  emojiFocusTarget,
  remaining,
  isTooLong,
  isPosting,
  isUploading,
  sticky,
  collapsed,
}: {
  /** Whether to show the premium switch. */
  canSell: boolean
  isPremium: boolean
  onPremiumChange: (isPremium: boolean) => void
  onFile: (file: File, kind: MediaKind) => void
  onEmoji: (emoji: string) => void
  /** Receives the focus after an emoji is chosen. */
  emojiFocusTarget: RefObject<HTMLElement | null>
  /** The number of characters that can still be typed; negative if there are too many. */
  remaining: number
  /** Whether the text or the teaser is too long to be posted. */
  isTooLong: boolean
  isPosting: boolean
  isUploading: boolean
  /** Whether the toolbar sticks to the bottom of the scroll container. */
  sticky: boolean
  /** Whether the buttons are hidden. */
  collapsed: boolean
}) {
  return (
    <Box
      display={collapsed ? 'none' : 'flex'}
      flexWrap="wrap"
      alignItems="center"
      gap={{ base: '0', sm: '1' }}
      marginTop="2"
      marginInlineStart="-2.5"
      {...(sticky && stickyStyle)}
    >
      <FileIconButton
        label={t`Add an image`}
        accept={acceptedImageTypes}
        disabled={isPosting}
        onFile={(file) => onFile(file, 'image')}
      >
        <ImageIcon />
      </FileIconButton>
      <FileIconButton
        label={t`Add a video`}
        accept={videoTypes.join(',')}
        disabled={isPosting}
        onFile={(file) => onFile(file, 'video')}
      >
        <VideoIcon />
      </FileIconButton>
      <EmojiPicker onChoose={onEmoji} focusTarget={emojiFocusTarget} />
      {canSell && (
        <PremiumSwitch
          type="button"
          role="switch"
          aria-checked={isPremium}
          aria-label={t`Premium`}
          disabled={isPosting}
          onClick={() => onPremiumChange(!isPremium)}
        >
          <LockIcon />
          <Box as="span" hideBelow="sm">
            <Trans>Premium</Trans>
          </Box>
        </PremiumSwitch>
      )}
      {/* On a small screen, the counter has its own line above the buttons. */}
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
        color={remaining < 0 ? 'danger.text' : 'muted'}
      >
        {remaining <= counterThreshold && remainingCharactersText(remaining)}
      </Box>
      <Button
        type="submit"
        variant="ember"
        marginInlineStart={{ base: 'auto', sm: '0' }}
        pending={isPosting}
        pendingLabel={isUploading ? t`Uploading…` : t`Posting…`}
        disabled={isTooLong}
      >
        <Trans context="verb">Post</Trans>
      </Button>
    </Box>
  )
}

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax({sizes.target}, 1fr))',
    gap: '1',
    padding: '3',
  },
})
const EmojiButton = chakra('button', {
  base: { height: 'target', fontSize: '2xl', borderRadius: 'sm', cursor: 'pointer', _hover: { bg: 'hover' } },
})

/** The emojis with their accessible names. */
export const emojis: [emoji: string, name: MessageDescriptor][] = [
  ['😀', msg`grinning`],
  ['😂', msg`tears of joy`],
  ['😍', msg`heart eyes`],
  ['🥰', msg`smiling with hearts`],
  ['😎', msg`cool`],
  ['🤔', msg`thinking`],
  ['😢', msg`crying`],
  ['😮', msg`surprised`],
  ['🥳', msg`partying`],
  ['🙏', msg`thanks`],
  ['👍', msg`thumbs up`],
  ['👏', msg`clapping`],
  ['💪', msg`strong`],
  ['🔥', msg`fire`],
  ['✨', msg`sparkles`],
  ['❤️', msg`heart`],
  ['🎉', msg`celebration`],
  ['🎤', msg`microphone`],
  ['📸', msg`camera`],
  ['🚀', msg`rocket`],
]

/** Shows a popover with emojis. Choosing one closes the popover and focuses `focusTarget`. */
function EmojiPicker({
  onChoose,
  focusTarget,
}: {
  onChoose: (emoji: string) => void
  focusTarget: RefObject<HTMLElement | null>
}) {
  const [open, setOpen] = useState(false)
  const hasChosen = useRef(false)
  return (
    <Popover
      open={open}
      onOpenChange={(nextOpen) => {
        hasChosen.current = false
        setOpen(nextOpen)
      }}
      finalFocus={() => (hasChosen.current ? focusTarget.current : null)}
      placement="bottom-start"
      title={t`Emoji`}
      trigger={
        <Button size="icon" variant="ghost" aria-label={t`Add an emoji`}>
          <SmileIcon />
        </Button>
      }
    >
      <Grid>
        {emojis.map(([emoji, name]) => (
          <EmojiButton
            key={emoji}
            type="button"
            aria-label={t(name)}
            onClick={() => {
              hasChosen.current = true
              setOpen(false)
              onChoose(emoji)
            }}
          >
            <Emoji emoji={emoji} />
          </EmojiButton>
        ))}
      </Grid>
    </Popover>
  )
}
