import { Box } from '@chakra-ui/react'
import type { PaidPhoto as Offer } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { CheckIcon, LockIcon } from '@/ui/icons'
import { LazyPart } from '@/ui/LazyPart'
import { LockCircle } from '@/ui/LockCircle'
import type { Bubble, BubbleImage } from '../model/bubbles'
import { BlurredImage, getFrame, ImageFrame, MessageImage } from './MessageImage'
import { fallbackFocusTarget, useThreadActions } from './thread-actions'

const loadDialog = () => import('./UnlockPhotoDialog')

/**
 * Shows a photo with a price: to its sender, the photo with the price and whether it is unlocked; to its receiver, the
 * photo if it is unlocked, and otherwise a blurred placeholder with the button to unlock it.
 */
export function PaidPhoto({
  bubble,
  image,
  inBubble = false,
}: {
  bubble: Bubble
  image: BubbleImage
  inBubble?: boolean
}) {
  const { me } = useThreadActions()
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isDialogOpen, setDialogOpen] = useState<boolean | null>(null)
  const { paidPhoto, id, senderId } = bubble
  const [wasLocked] = useState(paidPhoto?.unlocked === false)
  if (!paidPhoto) return null
  if (senderId === me) {
    const overlay = <PriceTag offer={paidPhoto} isSent={bubble.state === 'sent'} />
    return <MessageImage bubble={bubble} image={image} inBubble={inBubble} overlay={overlay} />
  }
  // Closes the dialog once the photo is unlocked, here or elsewhere.
  if (isDialogOpen && paidPhoto.unlocked) setDialogOpen(false)
  return (
    <>
      {paidPhoto.unlocked ? (
        <Box animation={wasLocked ? 'fadeIn 200ms {easings.out}' : undefined}>
          <MessageImage bubble={bubble} image={image} inBubble={inBubble} />
        </Box>
      ) : (
        <LockedPhoto
          image={image}
          amount={paidPhoto.price}
          inBubble={inBubble}
          onUnlock={() => setDialogOpen(true)}
        />
      )}
      {isDialogOpen !== null && (
        <LazyPart load={loadDialog} onError={() => setDialogOpen(null)}>
          {({ UnlockPhotoDialog }) => (
            <UnlockPhotoDialog
              messageId={id}
              senderId={senderId}
              price={paidPhoto.price}
              open={isDialogOpen}
              onClose={() => setDialogOpen(false)}
              finalFocus={() => {
                const message = fallbackFocusTarget(id)
                return message?.querySelector<HTMLElement>('[data-frame] button') ?? message
              }}
            />
          )}
        </LazyPart>
      )}
    </>
  )
}

function LockedPhoto({
  image,
  amount,
  inBubble,
  onUnlock,
}: {
  image: BubbleImage
  /** US dollars. */
  amount: number
  inBubble: boolean
  onUnlock: () => void
}) {
  const frame = getFrame(image, inBubble, true)
  const price = dollars(amount)
  return (
    <ImageFrame
      data-frame
      role="group"
      aria-label={t`Locked photo`}
      display="flex"
      flexDirection="column"
      borderRadius={inBubble ? '0' : undefined}
      style={{ width: `${frame.width}px`, aspectRatio: frame.ratio }}
    >
      {image.placeholder && <BlurredImage src={image.placeholder} alt="" aria-hidden decoding="async" />}
      <Box position="relative" flex="1" display="grid" placeItems="center">
        <LockCircle boxSize="12" bg="raised" fontSize="2xl" boxShadow="mid" />
      </Box>
      <Button variant="gold" position="relative" margin="3" boxShadow="mid" onClick={onUnlock}>
        {t`Unlock for ${price}`}
      </Button>
    </ImageFrame>
  )
}

/** Shows the sender the price of the photo and, once it is sent, whether the receiver has unlocked it. */
function PriceTag({ offer: { price, unlocked }, isSent }: { offer: Offer; isSent: boolean }) {
  const amount = dollars(price)
  return (
    <Box
      position="absolute"
      insetInlineStart="2"
      bottom="2"
      maxWidth="calc(100% - {spacing.4})"
      display="flex"
      alignItems="center"
      gap="1.5"
      paddingInline="2.5"
      paddingBlock="1"
      borderRadius="full"
      bg="raised"
      boxShadow="mid"
      textStyle="caption"
      fontWeight="medium"
      fontVariantNumeric="tabular-nums"
      pointerEvents="none"
    >
      <Box as="span" color={unlocked ? 'success.text' : 'gold.text'}>
        {unlocked ? <CheckIcon /> : <LockIcon />}
      </Box>
      {!isSent ? amount : unlocked ? t`${amount} · Unlocked` : t`${amount} · Not unlocked yet`}
    </Box>
  )
}
