import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { PremiumPrice } from '@contract/post.ts'
import { isBlank } from '@contract/text.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { translateServerText } from '@/lib/errors'
import { parseAmount } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { EmojiPicker } from '@/ui/emoji/EmojiPicker'
import { TextField } from '@/ui/Field'
import { imageTypes, useFilePicker } from '@/ui/FileButton'
import { DropOverlay } from '@/ui/FileDrop'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon, MicrophoneIcon, PlusIcon, PostIcon } from '@/ui/icons'
import { insertText } from '@/ui/insert-text'
import { Menu, MenuItem } from '@/ui/Menu'
import { Spinner } from '@/ui/Skeleton'
import { Switch } from '@/ui/Switch'
import { toast } from '@/ui/toaster'
import {
  type ChosenImage,
  changeChosenImage,
  chooseImage,
  removeChosenImage,
  useChosenImage,
} from '../chosen-image'
import { resetComposer, startEditingLastMessage, useMessageDraft } from '../composer-state'
import { contentPreview, withPostLink } from '../model/post-link'
import { toQuote } from '../model/thread'
import type { OutboxVoice } from '../outbox/outbox'
import { currentOutbox } from '../outbox/useOutbox'
import { usePostSlots } from '../post-slots'
import { ComposerContextBar, MessageComposer, remainingCharacters } from './MessageComposer'

/** How long the record button ignores clicks after it has replaced the send button because a message was sent. */
const doubleClickMs = 500

const loadRecorder = () => import('../voice/VoiceRecorder')
const VoiceRecorder = lazy(loadRecorder)

/**
 * The composer for a new message, which can contain text, an image and a post, or be a voice message. The text and the
 * post are kept as a draft.
 */
export function NewMessageComposer({
  me,
  receiverId,
  name,
  replyTo,
  focusOnMount,
  onTyping,
}: {
  me: string
  receiverId: string
  name: string
  /** The message to reply to. */
  replyTo: ChatMessage | null
  /** True after an edit: another composer replaced this one during the edit, so the text box must regain the focus. */
  focusOnMount: boolean
  onTyping: (typing: boolean) => void
}) {
  const [{ text, postId }, changeDraft] = useMessageDraft(me, receiverId)
  const posts = usePostSlots()
  // Null until the post picker is opened for the first time, so that its code is loaded only then.
  const [isPicking, setPicking] = useState<boolean | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const hasChosenPost = useRef(false)
  // Null until the first recording.
  const [isRecording, setRecording] = useState<boolean | null>(null)
  const recordButton = useRef<HTMLButtonElement>(null)
  const lastSentAt = useRef(0)
  const chosenImage = useChosenImage(receiverId)
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const photoButton = useRef<HTMLButtonElement>(null)
  const chooseFile = useCallback(
    (file: File) => {
      // The button disappears, so the focus moves to the text box.
      if (photoButton.current?.matches(':focus')) textareaRef.current?.focus()
      void chooseImage(receiverId, file)
    },
    [receiverId],
  )
  const { input: fileInput, openPicker: openFilePicker } = useFilePicker({
    accept: imageTypes,
    onFile: chooseFile,
  })
  const dragging = usePageFileDrop((file) => {
    chooseFile(file)
    // Dropping requires a mouse, so the focus does not open an on-screen keyboard.
    textareaRef.current?.focus()
  })
  const content = withPostLink(isBlank(text) ? '' : text, postId)
  const hasContent = chosenImage ? chosenImage.image !== null : content !== ''
  const price = parsePrice(chosenImage?.price)

  useEffect(() => () => onTyping(false), [onTyping])

  const replyToId = replyTo?.id
  useEffect(() => {
    if (replyToId || focusOnMount) textareaRef.current?.focus()
  }, [replyToId, focusOnMount])

  // The cursor starts at the end of a restored draft, so that an emoji chosen before the first focus is appended to it.
  useEffect(() => {
    const element = textareaRef.current
    if (element?.value) element.setSelectionRange(element.value.length, element.value.length)
  }, [])

  useEffect(() => {
    if (isRecording === false) recordButton.current?.focus()
  }, [isRecording])

  const changeText = (next: string) => {
    changeDraft({ text: next })
    onTyping(next.trim() !== '')
  }
  const insertEmoji = (emoji: string) => {
    if (textareaRef.current) insertText(textareaRef.current, emoji, changeText)
  }
  const openPicker = () => {
    hasChosenPost.current = false
    setPicking(true)
  }
  const submit = () => {
    const outbox = currentOutbox()
    if (!outbox) return
    outbox.add(receiverId, {
      content,
      replyTo: replyTo && toQuote(replyTo),
      image: chosenImage?.image ?? null,
      voice: null,
      price: price.data,
    })
    lastSentAt.current = Date.now()
    changeText('')
    changeDraft({ postId: null })
    removeChosenImage(receiverId)
    resetComposer(receiverId)
    textareaRef.current?.focus()
  }
  const openRecorder = ({ detail }: MouseEvent) => {
    // The second click of a double click on the send button must not start a recording.
    if (detail > 1 || Date.now() - lastSentAt.current < doubleClickMs) return
    loadRecorder().then(
      () => setRecording(true),
      () =>
        toast({
          title: t`Couldn't record`,
          description: t`Check your connection and try again.`,
          tone: 'destructive',
        }),
    )
  }
  const sendVoice = (voice: OutboxVoice) => {
    lastSentAt.current = Date.now()
    currentOutbox()?.add(receiverId, {
      content: '',
      replyTo: replyTo && toQuote(replyTo),
      image: null,
      voice,
    })
    resetComposer(receiverId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyTo) {
      event.preventDefault()
      resetComposer(receiverId)
    }
    if (
      event.key === 'ArrowUp' &&
      text === '' &&
      postId === null &&
      !replyTo &&
      !chosenImage &&
      startEditingLastMessage(me, receiverId)
    ) {
      event.preventDefault()
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'))
    if (!file) return
    event.preventDefault()
    chooseFile(file)
  }
  return (
    <MessageComposer
      textareaRef={textareaRef}
      text={text}
      content={content}
      onTextChange={changeText}
      label={t`Type a message`}
      sendLabel={t`Send`}
      canSubmit={hasContent && price.success && remainingCharacters(content) >= 0}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      action={
        content === '' &&
        !chosenImage && (
          <IconButton
            ref={recordButton}
            label={t`Record a voice message`}
            tooltip={false}
            onClick={openRecorder}
          >
            <MicrophoneIcon />
          </IconButton>
        )
      }
      recorder={
        isRecording && (
          <Suspense fallback={<Box height="4.25rem" />}>
            <VoiceRecorder receiverId={receiverId} onSend={sendVoice} onClose={() => setRecording(false)} />
          </Suspense>
        )
      }
      leading={
        <Box marginInlineStart="-3">
          <Menu
            label={t`Add to the message`}
            placement="top-start"
            trigger={
              <IconButton ref={addButton} label={t`Add to the message`} tooltip={false}>
                <PlusIcon />
              </IconButton>
            }
          >
            <MenuItem value="photo" onSelect={openFilePicker}>
              <ImageIcon /> {t`Photo`}
            </MenuItem>
            <MenuItem value="post" onSelect={openPicker}>
              <PostIcon /> {t`A post of yours`}
            </MenuItem>
          </Menu>
          {fileInput}
          {isPicking !== null && (
            <posts.Picker
              open={isPicking}
              onClose={() => setPicking(false)}
              onChoose={(chosenId) => {
                changeDraft({ postId: chosenId })
                hasChosenPost.current = true
                setPicking(false)
              }}
              finalFocus={() => (hasChosenPost.current ? textareaRef.current : addButton.current)}
            />
          )}
        </Box>
      }
      trailing={
        <Box display="flex">
          {text === '' && !chosenImage && (
            // In very narrow windows, the placeholder needs the space; the menu also has this command.
            <Box css={{ '@media (max-width: 22.49rem)': { display: 'none' } }}>
              <IconButton ref={photoButton} label={t`Add a photo`} tooltip={false} onClick={openFilePicker}>
                <ImageIcon />
              </IconButton>
            </Box>
          )}
          <EmojiPicker onChoose={insertEmoji} focusTarget={textareaRef} placement="top-end" />
        </Box>
      }
      header={
        <>
          {replyTo && (
            <ComposerContextBar
              title={
                replyTo.senderId === me ? (
                  t`Replying to yourself`
                ) : (
                  <Trans>
                    Replying to <bdi>{name}</bdi>
                  </Trans>
                )
              }
              excerpt={
                contentPreview(replyTo.content, replyTo.voice?.seconds) ||
                (replyTo.deleted ? t`Message deleted` : t`Photo`)
              }
              cancelLabel={t`Cancel reply`}
              onCancel={() => resetComposer(receiverId)}
            />
          )}
          {chosenImage && (
            <ImagePreview
              chosenImage={chosenImage}
              priceError={price.error?.issues[0]?.message}
              onPriceChange={(typed) => changeChosenImage(receiverId, { price: typed })}
              onRemove={() => {
                removeChosenImage(receiverId)
                textareaRef.current?.focus()
              }}
            />
          )}
          {postId && (
            <Box
              role="group"
              aria-label={t`Post`}
              display="flex"
              alignItems="start"
              gap="1"
              paddingInlineStart="4"
              paddingInlineEnd="1"
              paddingTop="3"
            >
              <Box flex="1" minWidth="0" maxWidth="26rem">
                <posts.Card postId={postId} preview />
              </Box>
              <IconButton
                label={t`Remove post`}
                onClick={() => {
                  changeDraft({ postId: null })
                  textareaRef.current?.focus()
                }}
              >
                <CloseIcon />
              </IconButton>
            </Box>
          )}
        </>
      }
      overlay={dragging && <DropOverlay>{t`Drop a photo here`}</DropOverlay>}
    />
  )
}

const PreviewImage = chakra('img', {
  base: { width: '100%', height: '100%', objectFit: 'cover', borderRadius: 'md' },
})

const parsePrice = (typed: string | null | undefined) =>
  PremiumPrice.optional().safeParse(typed ? parseAmount(typed) : (typed ?? undefined))

/** Shows the chosen image with a button to remove it and, to creators, the field for its price. */
function ImagePreview({
  chosenImage,
  priceError,
  onPriceChange,
  onRemove,
}: {
  chosenImage: ChosenImage
  priceError: string | undefined
  onPriceChange: (price: string | null) => void
  onRemove: () => void
}) {
  const { user } = useCurrentUser()
  const { price } = chosenImage
  const isPreparing = chosenImage.image === null
  return (
    <Box role="group" aria-label={t`Photo`} display="flex" gap="9" paddingInline="3" paddingTop="3">
      <Box
        position="relative"
        flexShrink="0"
        width="24"
        height="24"
        borderRadius="md"
        borderWidth="1px"
        bg="sunken"
      >
        <PreviewImage src={chosenImage.previewUrl} alt={t`Preview`} opacity={isPreparing ? 0.5 : undefined} />
        {isPreparing && (
          <Box
            role="status"
            aria-label={t`Preparing photo`}
            position="absolute"
            inset="0"
            display="grid"
            placeItems="center"
          >
            <Spinner />
          </Box>
        )}
        <Box position="absolute" top="-2" insetEnd="-7">
          <IconButton label={t`Remove photo`} variant="quiet" boxShadow="mid" onClick={onRemove}>
            <CloseIcon />
          </IconButton>
        </Box>
      </Box>
      {user?.isCreator && user.emailConfirmed && (
        <Box flex="1" minWidth="0" maxWidth="22rem" display="grid" gap="2">
          <Switch
            label={t`Set a price`}
            hint={t`Only the photo is locked, not your text.`}
            checked={price !== null}
            onChange={(isOn) => onPriceChange(isOn ? limits.premiumPrice.default.toFixed(2) : null)}
          />
          {price !== null && (
            <TextField
              label={t`Price in US dollars`}
              inputMode="decimal"
              value={price}
              onChange={(event) => onPriceChange(event.target.value)}
              error={priceError && translateServerText(priceError)}
              maxWidth="10rem"
            />
          )}
        </Box>
      )}
    </Box>
  )
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
/** While a dialog is open, the page does not accept dropped files. */
const dialogSelector = '[role=dialog], [role=alertdialog]'

/**
 * Calls `onFile` with a file that is dropped anywhere on the page, unless another element handles the drop. Returns
 * true while a file is dragged over the page.
 */
function usePageFileDrop(onFile: (file: File) => void): boolean {
  const [dragging, setDragging] = useState(false)
  const reportFile = useEffectEvent(onFile)
  useEffect(() => {
    const isAccepted = (event: DragEvent) =>
      hasFiles(event) && !event.defaultPrevented && document.querySelector(dialogSelector) === null
    const onOver = (event: DragEvent) => {
      if (!isAccepted(event)) return
      // Without this, the browser would replace the page with the file.
      event.preventDefault()
      setDragging(true)
    }
    const onLeave = (event: DragEvent) => {
      // The event also fires when the pointer moves between elements of the page.
      if (event.relatedTarget === null) setDragging(false)
    }
    const onDrop = (event: DragEvent) => {
      setDragging(false)
      if (!isAccepted(event)) return
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file) reportFile(file)
    }
    document.addEventListener('dragover', onOver)
    document.addEventListener('dragleave', onLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onOver)
      document.removeEventListener('dragleave', onLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [])
  return dragging
}
