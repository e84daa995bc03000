import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { videoTypes } from '@contract/media.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import { fieldErrorText } from '@/lib/errors'
import { formatPercent } from '@/lib/format'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { TextareaField, TextField } from '@/ui/Field'
import { FileButton, imageTypes } from '@/ui/FileButton'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon, VideoIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Switch } from '@/ui/Switch'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-type'
import { type ChosenFile, checkFile, emptyPostDraft, PostForm, useCreatePostAs } from '../create-post'
import type { UserDialogProps } from './UserDialogs'

/** Shows the form for a post that an admin publishes in a creator's name. Asks before it discards the draft. */
export function CreatePostDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const form = usePostForm(user.id)
  const content = useWatch({ control: form.control, name: 'content' })
  const [chosen, setChosen] = useState<ChosenFile>()
  useEffect(() => chosen && (() => URL.revokeObjectURL(chosen.previewUrl)), [chosen])
  const { create, cancelUpload, percent, isPending } = useCreatePostAs(user, onClose)
  const name = <bdi>{displayName(user)}</bdi>
  const { username } = user
  const progress = formatPercent(percent ?? 0)
  const isDirty = content.trim() !== '' || chosen !== undefined
  const guard = useLeaveGuard(open && isDirty)
  // An upload can be cancelled, but the request that creates the post cannot.
  const isBusy = isPending && percent === null
  const discard = useDiscardConfirmation({ open, isDirty, busy: isBusy, onClose, finalFocus, guard })
  const close = percent === null ? discard.close : cancelUpload
  const submit = form.handleSubmit((request) => {
    if (!isPending) create(request, chosen)
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        title={t`Create New Post`}
        description={
          <Trans>
            Published as {name} (@{username}), who is notified.
          </Trans>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isBusy}>
              {percent === null ? t`Cancel` : t`Cancel upload`}
            </Button>
            <Button
              variant="ember"
              type="submit"
              form={id}
              pending={isPending}
              pendingLabel={percent === null ? t`Creating…` : t`Uploading ${progress}`}
            >
              {t`Create post`}
            </Button>
          </>
        }
      >
        <chakra.form id={id} noValidate display="grid" gap="5" paddingBlock="2" onSubmit={submit}>
          <PostFields form={form} chosen={chosen} onChoose={setChosen} disabled={isPending} />
          <VisuallyHidden role="status">
            {isPending && (percent === null ? t`Creating…` : t`Uploading…`)}
          </VisuallyHidden>
        </chakra.form>
      </Dialog>
      <DiscardDialog
        confirmation={discard.confirmation}
        title={t`Discard this post?`}
        text={t`It hasn't been published.`}
      />
    </>
  )
}

const usePostForm = (userId: string) =>
  useForm({ resolver: zodResolver(PostForm), defaultValues: emptyPostDraft(userId) })

const { adminMin, max } = limits.premiumPrice

/** Shows the fields for the text, media and price of a post. */
function PostFields({
  form: {
    control,
    register,
    formState: { errors },
  },
  chosen,
  onChoose,
  disabled,
}: {
  form: ReturnType<typeof usePostForm>
  chosen: ChosenFile | undefined
  onChoose: (chosen: ChosenFile | undefined) => void
  disabled: boolean
}) {
  const { field: premium } = useController({
    control,
    name: 'isPremium',
    // Changing this switch revalidates the price, which must be valid only for a premium post.
    rules: { deps: 'premiumPrice' },
  })
  return (
    <>
      <TextareaField
        label={t`Content`}
        rows={5}
        dir="auto"
        css={{ fieldSizing: 'content', minHeight: '8rem' }}
        error={fieldErrorText(errors.content)}
        readOnly={disabled}
        {...register('content')}
      />
      <MediaPicker chosen={chosen} onChoose={onChoose} disabled={disabled} />
      {chosen && (
        <TextField
          label={t`Alt text (optional)`}
          hint={
            chosen.kind === 'image'
              ? t`Describe the image for people who can't see it.`
              : t`Describe the video for people who can't see it.`
          }
          dir="auto"
          maxLength={limits.altText.max}
          readOnly={disabled}
          {...register('altText')}
        />
      )}
      <Switch
        label={t`Premium`}
        hint={t`People pay to unlock this post.`}
        checked={premium.value}
        disabled={disabled}
        onChange={premium.onChange}
      />
      {premium.value && (
        <TextField
          label={t`Price in US dollars`}
          type="number"
          inputMode="decimal"
          min={adminMin.toFixed(2)}
          max={max.toFixed(2)}
          step="0.01"
          maxWidth="12rem"
          error={fieldErrorText(errors.premiumPrice)}
          readOnly={disabled}
          // Scrolling over a focused number field would change the price.
          onWheel={(event) => event.currentTarget.blur()}
          {...register('premiumPrice')}
        />
      )}
    </>
  )
}

const mediaStyle = {
  base: { width: '100%', maxHeight: '16rem', objectFit: 'contain', bg: 'sunken' },
} as const
const Image = chakra('img', mediaStyle)
const Video = chakra('video', mediaStyle)

/** Shows the chosen image or video with buttons to replace or remove it. A post has at most one. */
function MediaPicker({
  chosen,
  onChoose,
  disabled,
}: {
  chosen: ChosenFile | undefined
  onChoose: (chosen: ChosenFile | undefined) => void
  disabled: boolean
}) {
  const container = useRef<HTMLDivElement>(null)
  /** Incremented when a file is chosen or removed, so that the result of an earlier check is ignored. */
  const choiceCount = useRef(0)
  const choose = async (file: File, kind: ChosenFile['kind']) => {
    choiceCount.current += 1
    const currentChoice = choiceCount.current
    try {
      const checkedFile = await checkFile(file, kind)
      if (currentChoice === choiceCount.current) onChoose(checkedFile)
      else URL.revokeObjectURL(checkedFile.previewUrl)
    } catch (error) {
      const message =
        error instanceof FileRejectedError
          ? { title: error.title, description: error.message }
          : { title: t`Error`, description: t`Couldn't read the file. Choose another one.` }
      toast({ ...message, tone: 'destructive' })
    }
  }
  return (
    <Box ref={container} tabIndex={-1} outline="none" display="grid" gap="3">
      {chosen && (
        <Box
          role="group"
          aria-label={chosen.kind === 'image' ? t`Image` : t`Video`}
          position="relative"
          borderRadius="md"
          borderWidth="1px"
          overflow="hidden"
        >
          {chosen.kind === 'image' ? (
            <Image src={chosen.previewUrl} alt={t`Preview`} />
          ) : (
            <Video src={chosen.previewUrl} controls muted playsInline aria-label={t`Preview`} />
          )}
          <Box position="absolute" top="2" insetEnd="2">
            <IconButton
              label={chosen.kind === 'image' ? t`Remove image` : t`Remove video`}
              variant="quiet"
              boxShadow="mid"
              disabled={disabled}
              onClick={() => {
                // The click unmounts the button, which would lose focus.
                container.current?.focus()
                choiceCount.current += 1
                onChoose(undefined)
              }}
            >
              <CloseIcon />
            </IconButton>
          </Box>
        </Box>
      )}
      <Box display="flex" flexWrap="wrap" gap="2">
        <FileButton
          accept={imageTypes}
          onFile={(file) => void choose(file, 'image')}
          variant="outline"
          size="sm"
          disabled={disabled}
        >
          <ImageIcon />
          {chosen?.kind === 'image' ? t`Replace image` : t`Image`}
        </FileButton>
        <FileButton
          accept={videoTypes.join(',')}
          onFile={(file) => void choose(file, 'video')}
          variant="outline"
          size="sm"
          disabled={disabled}
        >
          <VideoIcon />
          {chosen?.kind === 'video' ? t`Replace video` : t`Video`}
        </FileButton>
      </Box>
    </Box>
  )
}
