import { Box, chakra } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { nothingToPost, Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '@/lib/api'
import { ApiError, errorMessage, isTransient, translateServerText } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { displayName } from '@/lib/text'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { Avatar } from '@/ui/Avatar'
import { DropOverlay, useFileDrop } from '@/ui/FileDrop'
import { PlusIcon } from '@/ui/icons'
import { insertText } from '@/ui/insert-text'
import { LazyPart } from '@/ui/LazyPart'
import { Card, VisuallyHidden } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useAutoHeight } from '@/ui/useAutoHeight'
import { addPost, publishKey } from '../../api/posts'
import {
  chooseMedia,
  clearChosenMedia,
  isCheckingMedia,
  type MediaKind,
  removeMedia,
  showInterruptedUpload,
  useChosenMedia,
  waitForUpload,
} from '../../chosen-media'
import { isTooSoon, publishingTimeText, validatePrice } from '../../model'
import {
  changePostDraft,
  clearPostedDraft,
  createPostRequest,
  draftToPublish,
  getPostDraft,
  isDraftEmpty,
  type PostDraft,
  usePostDraft,
} from '../../post-draft'
import { loadScheduling } from '../schedule/ScheduleButton'
import { ComposerToolbar } from './ComposerToolbar'
import { UploadAnnouncer } from './UploadAnnouncer'

/** Loads the fields that most drafts do not need, all at once. */
const loadFields = () => import('./fields')

/** The id of the text area above the home feed. */
const homeComposerId = 'composer'

/** Opens the composer above the home feed. */
export const focusHomeComposer = () => document.getElementById(homeComposerId)?.focus()

/**
 * Hides the composer visually on phones but keeps it focusable, because focusing it shows it. It keeps its width,
 * because the height of its text area depends on the width.
 */
const hiddenOnPhones = {
  position: { base: 'absolute', md: 'relative' },
  width: '100%',
  height: { base: '1px', md: 'auto' },
  overflow: { base: 'hidden', md: 'visible' },
  clipPath: { base: 'inset(50%)', md: 'none' },
} as const

/**
 * Shows the composer above the home feed, as the top of the feed's card. Until it is used, it is collapsed to one line
 * and, on phones, hides `actions`. It does not collapse when it loses focus, because the element that the user is
 * pressing would move. With `phoneItems`, phones show these list items in a row instead of the collapsed composer. The
 * first item of the row opens the composer.
 */
export function Composer({
  user,
  actions,
  phoneItems,
}: {
  user: OwnUser
  actions?: ReactNode
  phoneItems?: ReactNode
}) {
  const draft = usePostDraft(user.id)
  const chosen = useChosenMedia(user.id)
  const [isUsed, setUsed] = useState(false)
  const avatarUser = { ...user, displayName: displayName(user) }
  const isCollapsed = !isUsed && isDraftEmpty(draft) && chosen === undefined
  return (
    <>
      {phoneItems && (
        <PhoneRow aria-label={t`New from your creators`}>
          <Box asChild flexShrink="0" width="4.25rem">
            <li>
              <WriteButton type="button" onClick={focusHomeComposer}>
                <Box as="span" position="relative" display="inline-flex" padding="1">
                  <Avatar user={{ ...avatarUser, isCreator: false }} />
                  <PlusBadge>
                    <PlusIcon />
                  </PlusBadge>
                </Box>
                <Box as="span" textStyle="caption" color="muted">
                  <Trans>Write a post</Trans>
                </Box>
              </WriteButton>
            </li>
          </Box>
          {phoneItems}
        </PhoneRow>
      )}
      <Card
        position="relative"
        {...(phoneItems && isCollapsed && hiddenOnPhones)}
        display="flex"
        gap="3"
        paddingInline={{ base: '4', md: '5' }}
        paddingTop={isCollapsed ? { base: '0.5', md: '3' } : '3'}
        paddingBottom={isCollapsed ? { base: '0.5', md: '3' } : '3'}
        borderBottomRadius="0"
        borderBottomWidth={{ md: '0' }}
        // Focusing a button does not expand the composer, because the button would move while it is pressed.
        onFocus={({ target }) => (!isCollapsed || target instanceof HTMLTextAreaElement) && setUsed(true)}
        // Safari does not focus a button that is clicked.
        onSubmit={() => setUsed(true)}
      >
        <Box hideFrom="md" paddingTop="1.5">
          <Avatar user={avatarUser} size="sm" />
        </Box>
        <Box display={{ base: 'none', md: 'flex' }} alignSelf="start">
          <Avatar user={avatarUser} />
        </Box>
        <Box flex="1" minWidth="0">
          <ComposerForm user={user} id={homeComposerId} collapsed={isCollapsed} />
        </Box>
      </Card>
      <Box
        display={{ base: isCollapsed ? 'none' : 'block', md: 'block', xl: 'none' }}
        marginTop={{ base: '-1px', md: '0' }}
      >
        {actions}
      </Box>
    </>
  )
}

/** A row of avatars that scrolls sideways. It has an upper border, because the composer's border is below it. */
const PhoneRow = chakra('ul', {
  base: {
    display: 'flex',
    md: { display: 'none' },
    // Clips the visually hidden text of items that are scrolled out of view.
    position: 'relative',
    gap: '1',
    paddingInline: '4',
    paddingBlock: '2',
    overflowX: 'auto',
    scrollbarWidth: 'none',
    listStyleType: 'none',
    bg: 'surface',
    borderTopWidth: '1px',
  },
})

const WriteButton = chakra('button', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '1',
    width: '100%',
    whiteSpace: 'nowrap',
    borderRadius: 'sm',
    cursor: 'pointer',
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const PlusBadge = chakra('span', {
  base: {
    position: 'absolute',
    insetEnd: '0',
    bottom: '0',
    display: 'grid',
    placeItems: 'center',
    boxSize: '5',
    borderRadius: 'full',
    bg: 'inverse',
    color: 'onInverse',
    fontSize: 'sm',
    outline: '2px solid',
    outlineColor: 'surface',
  },
})

interface ComposerFormProps {
  user: OwnUser
  /** The id of the text area. */
  id: string
  rows?: number
  /** Keeps the buttons visible in a scroll container. */
  sticky?: boolean
  /** Whether to show only the collapsed toolbar; see `ComposerToolbar`. */
  collapsed?: boolean
  /** Called after the post has been created, if the composer is still mounted. */
  onPosted?: () => void
}

/**
 * Shows a form for a post: text, media and premium fields. The draft is stored in the browser until it is posted, and
 * all composers share it. A user whose account is read-only sees a hint instead.
 */
export function ComposerForm(props: ComposerFormProps) {
  const { readOnlyReason } = props.user
  return readOnlyReason === null ? <EnabledForm {...props} /> : <ReadOnlyHint what="post" />
}

function EnabledForm({ user, id, rows = 1, sticky = false, collapsed = false, onPosted }: ComposerFormProps) {
  const draft = usePostDraft(user.id)
  const { quotedPostId, publishAt } = draft
  const chosen = useChosenMedia(user.id)
  const { publish, isPosting } = useCreatePost(user.id)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const priceInput = useRef<HTMLInputElement>(null)
  const [priceError, setPriceError] = useState<string>()
  const chooseFile = (file: File, expectedKind?: MediaKind) => {
    if (!isPosting) void chooseMedia(user.id, file, expectedKind)
  }
  const { dragging, handlers } = useFileDrop(([file]) => {
    if (file) chooseFile(file)
  })
  useAutoHeight(textarea, draft.text)
  useEffect(() => showInterruptedUpload(user.id), [user.id])
  // Whitespace around the text does not count.
  const remaining = limits.postContent.max - countCharacters(draft.text.trim())
  const isTooLong =
    remaining < 0 || (draft.isPremium && countCharacters(draft.teaser.trim()) > limits.teaser.max)
  const isUploading = chosen !== undefined && chosen.state !== 'done' && chosen.state !== 'failed'

  const showError = (description: string) => toast({ title: t`Error`, description, tone: 'destructive' })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isPosting || isTooLong) return
    if (chosen?.state === 'failed') {
      showError(t`Failed to upload media. Please try again.`)
      return
    }
    if (draft.text.trim() === '' && !draft.media && !isUploading && !isCheckingMedia(user.id)) {
      showError(translateServerText(nothingToPost))
      textarea.current?.focus()
      return
    }
    const nextPriceError = draft.isPremium ? validatePrice(draft.price) : undefined
    setPriceError(nextPriceError)
    if (nextPriceError) {
      priceInput.current?.focus()
      return
    }
    if (publishAt && isTooSoon(publishAt)) {
      showError(publishingTimeText(publishAt))
      return
    }
    publish(onPosted)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    if (event.metaKey || event.ctrlKey) submit(event)
    // Enter in the fields below the text must not submit an unfinished post.
    else if (event.target instanceof HTMLInputElement) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files
    // Word processors also put an image of the copied text on the clipboard.
    if (!file || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    chooseFile(file)
  }
  const insertEmoji = (emoji: string) => {
    if (isPosting || !textarea.current) return
    insertText(textarea.current, emoji, (text) => changePostDraft(user.id, { text }))
  }

  return (
    <Form noValidate onSubmit={submit} aria-label={t`New post`} onKeyDown={onKeyDown} {...handlers}>
      {dragging && (
        <DropOverlay>
          <Trans>Drop an image or a video here</Trans>
        </DropOverlay>
      )}
      <ComposerTextarea
        ref={textarea}
        id={id}
        dir="auto"
        rows={rows}
        value={draft.text}
        onChange={(event) => changePostDraft(user.id, { text: event.target.value })}
        onPaste={onPaste}
        readOnly={isPosting}
        placeholder={t`What's on your mind?`}
        aria-label={t`What's on your mind?`}
        aria-invalid={remaining < 0 || undefined}
      />
      <UploadAnnouncer chosen={chosen} />
      {(chosen ?? draft.media) && (
        <LazyPart load={loadFields}>
          {({ MediaField }) => (
            <MediaField
              userId={user.id}
              draft={draft}
              chosen={chosen}
              disabled={isPosting}
              fallbackFocusTarget={textarea}
            />
          )}
        </LazyPart>
      )}
      {quotedPostId && (
        <LazyPart load={loadFields}>
          {({ QuoteField }) => (
            <QuoteField
              userId={user.id}
              quotedPostId={quotedPostId}
              disabled={isPosting}
              fallbackFocusTarget={textarea}
            />
          )}
        </LazyPart>
      )}
      {draft.isPremium && (
        <Box marginTop="4">
          <LazyPart load={loadFields}>
            {({ PremiumFields }) => (
              <PremiumFields
                values={draft}
                onChange={(fields) => {
                  setPriceError(undefined)
                  changePostDraft(user.id, fields)
                }}
                priceRef={priceInput}
                priceError={priceError}
                disabled={isPosting}
              />
            )}
          </LazyPart>
        </Box>
      )}
      {/* Always mounted: see `UploadAnnouncer`. */}
      <VisuallyHidden role="status">{publishAt && publishingTimeText(publishAt)}</VisuallyHidden>
      {publishAt && (
        <LazyPart load={loadScheduling}>
          {({ ScheduleField }) => (
            <ScheduleField
              userId={user.id}
              publishAt={publishAt}
              disabled={isPosting}
              fallbackFocusTarget={textarea}
            />
          )}
        </LazyPart>
      )}
      <ComposerToolbar
        canSell={user.isCreator || draft.isPremium}
        isPremium={draft.isPremium}
        onPremiumChange={(isPremium) => changePostDraft(user.id, { isPremium })}
        onFile={chooseFile}
        onEmoji={insertEmoji}
        emojiFocusTarget={textarea}
        publishAt={publishAt}
        onSchedule={(publishAt) => changePostDraft(user.id, { publishAt })}
        remaining={remaining}
        isTooLong={isTooLong}
        isPosting={isPosting}
        isUploading={isUploading}
        sticky={sticky}
        collapsed={collapsed}
      />
    </Form>
  )
}

const Form = chakra('form', { base: { minWidth: '0' } })

const ComposerTextarea = chakra('textarea', {
  base: {
    display: 'block',
    width: '100%',
    minHeight: 'target',
    maxHeight: '60vh',
    paddingBlock: '2.5',
    fontSize: 'lg',
    lineHeight: 'normal',
    color: 'text',
    bg: 'transparent',
    resize: 'none',
    overflowY: 'auto',
    overflowWrap: 'anywhere',
    outline: 'none',
    borderBottomWidth: '1px',
    borderColor: 'transparent',
    _focusVisible: { outline: 'none', borderColor: 'focus' },
  },
})

/** The codes of errors that require the user to choose the image or video again. */
const mediaErrorCodes = ['media_not_usable', 'unsupported_media_type', 'payload_too_large']

/** The upload was cancelled, or it failed and a toast has already reported the error. */
class UploadNotFinishedError extends Error {}

/**
 * Waits for the upload to finish, then publishes or schedules the draft as it was when the user pressed the button. The
 * request contains an id generated by the client, so repeating the request does not create a second post. The hook
 * handles the response itself, because the composer may have unmounted.
 *
 * `isPosting` is true while any composer is submitting a post by the user.
 */
function useCreatePost(userId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mutationKey = publishKey(userId)
  const isPosting = useIsMutating({ mutationKey }) > 0
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: async (pressed: PostDraft) => {
      if (!(await waitForUpload(userId))) throw new UploadNotFinishedError()
      const draft = draftToPublish(pressed, getPostDraft(userId))
      const request = createPostRequest(draft)
      if (!draft.publishAt) return { draft, post: await api.post('/api/posts', request, Post) }
      const { schedulePost } = await loadScheduling()
      const showScheduled = () => void navigate(paths.scheduled.getHref())
      return { draft, post: await schedulePost(client, request, showScheduled) }
    },
    meta: {
      errorMessage: (error) => {
        if (error instanceof UploadNotFinishedError) return null
        const fallback = t`Failed to create post. Please try again.`
        return isTransient(error) ? fallback : errorMessage(error, fallback)
      },
    },
    onSuccess: async ({ draft, post }) => {
      if (getPostDraft(userId).id === draft.id) clearChosenMedia(userId)
      clearPostedDraft(userId, draft)
      if (!post) return
      toast({ title: t`Post created successfully!` })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      await addPost(client, post)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code && mediaErrorCodes.includes(error.code)) removeMedia(userId)
    },
  })
  const publish = (onPosted?: () => void) => {
    // A second press can arrive before the composer is rerendered with `isPosting`.
    if (client.isMutating({ mutationKey }) === 0) mutate(getPostDraft(userId), { onSuccess: onPosted })
  }
  return { publish, isPosting }
}
