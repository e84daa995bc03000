import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { DropOverlay } from '@/ui/FileDrop'
import { toast } from '@/ui/toaster'
import { useAutoHeight } from '@/ui/useAutoHeight'
import { useFileDrop } from '@/ui/useFileDrop'
import { chooseMedia, type MediaKind, showInterruptedUpload, useChosenMedia } from '../../chosen-media'
import { validatePrice } from '../../price-error'
import { changePostDraft, usePostDraft } from '../../usePostDraft'
import { ComposerTextarea } from './ComposerTextarea'
import { ComposerToolbar } from './ComposerToolbar'
import { MediaField } from './MediaField'
import { PremiumFields } from './PremiumFields'
import { remainingCharacters } from './remaining-characters'
import { UploadAnnouncer } from './UploadAnnouncer'
import { useCreatePost } from './useCreatePost'

const nothing = 'Please enter some content or add an image/video for your post.'

const Frame = chakra('form', { base: { minWidth: '0' } })

/**
 * Text, picture or video, and what makes a post premium. What is not posted yet stays in the browser; all composers
 * show the same draft.
 *
 * @param id the text field's
 * @param onPosted told once the post is out, while this composer is still there
 */
export function ComposerForm(props: Props) {
  const { readOnlyReason } = props.user
  return readOnlyReason === null ? <Form {...props} /> : <ReadOnlyHint what="post" />
}

type Props = {
  user: OwnUser
  id: string
  rows?: number
  /** Keeps the buttons in sight in a box that scrolls. */
  sticky?: boolean
  onPosted?: () => void
}

function Form({ user, id, rows = 1, sticky = false, onPosted }: Props) {
  const draft = usePostDraft(user.id)
  const chosen = useChosenMedia(user.id)
  const { publish, posting } = useCreatePost(user.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const price = useRef<HTMLInputElement>(null)
  const [priceError, setPriceError] = useState<string>()
  const choose = (file: File, wanted?: MediaKind) => {
    if (!posting) void chooseMedia(user.id, file, wanted)
  }
  const { dragging, handlers } = useFileDrop(([file]) => {
    if (file) choose(file)
  })
  useAutoHeight(box, draft.text)
  useEffect(() => showInterruptedUpload(user.id), [user.id])
  const left = remainingCharacters(draft.text)
  const uploading = chosen !== undefined && chosen.state !== 'done' && chosen.state !== 'failed'

  const refuse = (description: string) => toast({ title: 'Error', description, tone: 'destructive' })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (posting || left < 0) return
    if (chosen?.state === 'failed') {
      refuse('Failed to upload media. Please try again.')
      return
    }
    if (draft.text.trim() === '' && !draft.media && !uploading) {
      refuse(nothing)
      box.current?.focus()
      return
    }
    const problem = draft.isPremium ? validatePrice(draft.price) : undefined
    setPriceError(problem)
    if (problem) {
      price.current?.focus()
      return
    }
    publish(onPosted)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    if (event.metaKey || event.ctrlKey) submit(event)
    // In the fields below the text it must not post what is half written.
    else if (event.target instanceof HTMLInputElement) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files
    // Word processors put a picture of the text beside the text.
    if (!file || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    choose(file)
  }
  const insert = (emoji: string) => {
    if (posting) return
    const element = box.current
    const at = element?.selectionEnd ?? draft.text.length
    changePostDraft(user.id, { text: draft.text.slice(0, at) + emoji + draft.text.slice(at) })
    requestAnimationFrame(() => {
      element?.focus()
      element?.setSelectionRange(at + emoji.length, at + emoji.length)
    })
  }

  return (
    <Frame noValidate onSubmit={submit} aria-label="New post" onKeyDown={onKeyDown} {...handlers}>
      {dragging && <DropOverlay>Drop an image or a video here</DropOverlay>}
      <ComposerTextarea
        ref={box}
        id={id}
        dir="auto"
        rows={rows}
        value={draft.text}
        onChange={(event) => changePostDraft(user.id, { text: event.target.value })}
        onPaste={onPaste}
        readOnly={posting}
        placeholder="What's on your mind?"
        aria-label="What's on your mind?"
        aria-invalid={left < 0 || undefined}
      />
      <UploadAnnouncer chosen={chosen} />
      <MediaField userId={user.id} draft={draft} chosen={chosen} disabled={posting} returnTo={box} />
      {draft.isPremium && (
        <Box marginTop="4">
          <PremiumFields
            draft={draft}
            onChange={(fields) => {
              setPriceError(undefined)
              changePostDraft(user.id, fields)
            }}
            priceRef={price}
            priceError={priceError}
            disabled={posting}
          />
        </Box>
      )}
      <ComposerToolbar
        canSell={user.isCreator || draft.isPremium}
        isPremium={draft.isPremium}
        onPremium={(isPremium) => changePostDraft(user.id, { isPremium })}
        onFile={choose}
        onEmoji={insert}
        returnTo={box}
        left={left}
        posting={posting}
        uploading={uploading}
        sticky={sticky}
      />
    </Frame>
  )
}
