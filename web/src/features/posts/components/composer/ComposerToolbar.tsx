import { Box, chakra } from '@chakra-ui/react'
import { videoTypes } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { RefObject } from 'react'
import { Button } from '@/ui/Button'
import { EmojiPicker } from '@/ui/emoji/EmojiPicker'
import { FileIconButton, imageTypes } from '@/ui/FileButton'
import { ImageIcon, LockIcon, VideoIcon } from '@/ui/icons'
import type { MediaKind } from '../../chosen-media'
import { remainingCharactersText } from '../../model'
import { ScheduleButton } from '../schedule/ScheduleButton'

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

/** Places the toolbar at the end of the collapsed composer's line. */
const collapsedStyle = {
  display: { base: 'none', md: 'flex' },
  position: 'absolute',
  top: '3',
  insetEnd: '2.5',
  marginTop: '0',
} as const

/**
 * On small phones, "Schedule" does not fit beside the buttons. The toolbar of the home feed's composer then also uses
 * the space below the avatar.
 */
const scheduledStyle = { '@media (max-width: 389px)': { marginInlineStart: '-3.375rem' } } as const

/** Shows the buttons below a composer, the number of remaining characters, and the submit button. */
export function ComposerToolbar({
  canSell,
  isPremium,
  onPremiumChange,
  onFile,
  onEmoji,
  emojiFocusTarget,
  publishAt,
  onSchedule,
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
  /** When the post is to be published, or null to publish it right away. */
  publishAt: string | null
  onSchedule: (publishAt: string) => void
  /** The number of characters that can still be typed; negative if there are too many. */
  remaining: number
  /** Whether the text or the teaser is too long to be posted. */
  isTooLong: boolean
  isPosting: boolean
  isUploading: boolean
  /** Whether the toolbar sticks to the bottom of the scroll container. */
  sticky: boolean
  /** Whether the composer is collapsed. If so, shows only the buttons that add media or, on phones, no buttons. */
  collapsed: boolean
}) {
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap={{ base: '0', sm: '1' }}
      marginTop="2"
      marginInlineStart="-2.5"
      css={publishAt && !sticky ? scheduledStyle : undefined}
      {...(sticky && stickyStyle)}
      {...(collapsed && collapsedStyle)}
    >
      <FileIconButton
        label={t`Add an image`}
        accept={imageTypes}
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
      {!collapsed && (
        <>
          <EmojiPicker onChoose={onEmoji} focusTarget={emojiFocusTarget} />
          <ScheduleButton publishAt={publishAt} onChange={onSchedule} disabled={isPosting} />
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
            paddingInline={{ base: '4', sm: '5' }}
            marginInlineStart={{ base: 'auto', sm: '0' }}
            pending={isPosting}
            pendingLabel={isUploading ? t`Uploading…` : publishAt ? t`Scheduling…` : t`Posting…`}
            disabled={isTooLong}
          >
            {publishAt ? <Trans context="verb">Schedule</Trans> : <Trans context="verb">Post</Trans>}
          </Button>
        </>
      )}
    </Box>
  )
}
