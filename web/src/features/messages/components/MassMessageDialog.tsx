import { Box } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import type { MassMessage, MassMessages } from '@contract/mass-message.ts'
import { isBlank } from '@contract/text.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, inlineErrorMessage, isTransient } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { timeUntil } from '@/lib/time'
import { uuidv7 } from '@/lib/uuid'
import { Button } from '@/ui/Button'
import { ConfirmDialog, Dialog } from '@/ui/Dialog'
import { EmojiPicker } from '@/ui/emoji/EmojiPicker'
import { NoteField } from '@/ui/Field'
import { CheckIcon, CloseIcon, MegaphoneIcon, PostIcon } from '@/ui/icons'
import { insertText } from '@/ui/insert-text'
import { TextLink } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import {
  findUnfinished,
  massMessagesQuery,
  useSendMassMessage,
  useStopMassMessage,
} from '../api/mass-messages'
import { useMessageDraft } from '../composer-state'
import { contentPreview, withPostLink } from '../model/post-link'
import { usePostSlots } from '../post-slots'
import { MessagePreview } from './MessagePreview'
import { SubscribersNote } from './SubscribersNote'

/** Identifies the draft, in place of a receiver's id. */
const draftReceiver = 'subscribers'

/**
 * Lets a creator message all of their subscribers. While a message is being sent, shows its progress instead of the
 * form, and then the result. Lists earlier messages below. When the dialog is closed, the text and the post are kept as
 * a draft.
 */
export default function MassMessageDialog({
  me,
  shownId,
  onShow,
  open,
  onClose,
}: {
  me: string
  /** The id of the sent message to show instead of the form. */
  shownId: string | null
  onShow: (id: string | null) => void
  open: boolean
  onClose: () => void
}) {
  const list = useQuery(massMessagesQuery)
  const send = useSendMassMessage()
  const stop = useStopMassMessage()
  const [draft, changeDraft] = useMessageDraft(me, draftReceiver)
  const [isFollowUp, setFollowUp] = useState(false)
  // True if an earlier version of the text was sent, and the changes made since then are kept as a draft.
  const [hasKeptChanges, setKeptChanges] = useState(false)
  const [confirming, setConfirming] = useState<'send' | 'stop' | null>(null)
  const lastButton = useRef<HTMLButtonElement>(null)
  const { data } = list
  const shown = findUnfinished(data) ?? data?.messages.find(({ id }) => id === shownId)
  const content = withPostLink(isBlank(draft.text) ? '' : draft.text, draft.postId)
  const maxText = limits.messageContent.max - withPostLink('', draft.postId).length - (draft.postId ? 1 : 0)
  const canSend =
    data !== undefined &&
    !shown &&
    data.recipients > 0 &&
    data.nextAt === null &&
    content !== '' &&
    countCharacters(draft.text.trim()) <= maxText

  // The message was sent if the list contains its id, even if the response was lost.
  const sent = data?.messages.find(({ id }) => id === draft.id)
  const sentId = sent?.id
  const hasChanged = content !== '' && sent?.content !== content
  useEffect(() => {
    if (!sentId) return
    changeDraft(hasChanged ? { id: undefined } : { text: '', postId: null, id: undefined })
    setKeptChanges(hasChanged)
    onShow(hasChanged ? null : sentId)
  }, [sentId, hasChanged, changeDraft, onShow])

  const sendDraft = () => {
    // Every attempt uses the same id, so that the message is sent only once. After a conflict, a new id is needed.
    const hadConflict = send.error instanceof ApiError && send.error.status === 409
    const id = (!hadConflict && draft.id) || uuidv7()
    changeDraft({ id })
    setKeptChanges(false)
    onShow(id)
    send.mutate({ id, content }, { onSettled: () => setConfirming(null) })
  }
  const startNext = () => {
    setFollowUp(true)
    onShow(null)
  }
  const failure = hasKeptChanges
    ? t`An earlier version of your message was already sent. Your changes haven’t been sent.`
    : !shown &&
      inlineErrorMessage(
        send.error,
        isTransient(send.error)
          ? t`Your message may not have been sent because the connection was lost. Try again.`
          : t`Couldn't send your message. Try again.`,
      )
  const recipients = data?.recipients ?? 0
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={t`Message subscribers`}
        description={
          recipients === 0 || shown
            ? undefined
            : plural(recipients, {
                one: '# subscriber gets this in a private conversation with you.',
                other: '# subscribers get this, each in a private conversation with you.',
              })
        }
        footer={
          shown?.finishedAt === null ? (
            <>
              <Button variant="outline" onClick={() => setConfirming('stop')} pending={stop.isPending}>
                {t`Stop sending`}
              </Button>
              <Button ref={lastButton} variant="ember" onClick={onClose}>{t`Close`}</Button>
            </>
          ) : shown ? (
            <>
              <Button variant="outline" onClick={startNext}>{t`Write another`}</Button>
              <Button ref={lastButton} variant="ember" onClick={onClose}>{t`Done`}</Button>
            </>
          ) : (
            data && (
              <>
                <Button variant="outline" onClick={onClose}>{t`Cancel`}</Button>
                <Button
                  ref={lastButton}
                  variant="ember"
                  disabled={!canSend}
                  onClick={() => setConfirming('send')}
                >
                  {t`Send to ${plural(recipients, { one: '# subscriber', other: '# subscribers' })}`}
                </Button>
              </>
            )
          )
        }
      >
        {data ? (
          <>
            {shown ? (
              <Delivery message={shown} />
            ) : (
              <Form
                draft={draft}
                changeDraft={changeDraft}
                maxText={maxText}
                data={data}
                focusOnMount={isFollowUp}
              />
            )}
            <Box role="alert" textStyle="small" color="danger.text" marginTop={failure ? '3' : undefined}>
              {!send.isPending && failure}
            </Box>
            <History messages={data.messages.filter((message) => message !== shown)} />
          </>
        ) : list.isError ? (
          <ErrorState
            message={t`Couldn't load your subscribers. Try again.`}
            onRetry={() => void list.refetch()}
          />
        ) : (
          <Loading label={t`Loading subscribers`}>
            <Skeleton height="8rem" borderRadius="md" />
          </Loading>
        )}
      </Dialog>
      <ConfirmDialog
        open={open && confirming === 'send' && canSend}
        onClose={() => setConfirming(null)}
        onConfirm={sendDraft}
        pending={send.isPending}
        danger={false}
        title={t`Send to ${plural(recipients, { one: '# subscriber', other: '# subscribers' })}?`}
        text={t`You can’t unsend the message for everyone at once. After sending, you can only edit or delete it in each conversation.`}
        confirmLabel={t`Send`}
        finalFocus={() => lastButton.current}
      />
      <ConfirmDialog
        open={open && confirming === 'stop' && shown?.finishedAt === null}
        onClose={() => setConfirming(null)}
        onConfirm={() => shown && stop.mutate(shown.id, { onSettled: () => setConfirming(null) })}
        pending={stop.isPending}
        title={t`Stop sending?`}
        text={t`Subscribers who already have the message keep it. The others won’t get it.`}
        confirmLabel={t`Stop sending`}
        cancelLabel={t`Keep sending`}
        finalFocus={() => lastButton.current}
      />
    </>
  )
}

function Form({
  draft,
  changeDraft,
  maxText,
  data,
  focusOnMount,
}: {
  draft: { text: string; postId: string | null }
  changeDraft: (change: Partial<{ text: string; postId: string | null }>) => void
  /** The maximum length of the text in characters: the message's limit, less the length of the link to the post. */
  maxText: number
  data: MassMessages
  /** True if the form replaces the result of an earlier message: the button that had focus is gone. */
  focusOnMount: boolean
}) {
  const posts = usePostSlots()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const postButton = useRef<HTMLButtonElement>(null)
  // Null until the post picker is opened for the first time, so that its code is loaded only then.
  const [isPicking, setPicking] = useState<boolean | null>(null)
  useEffect(() => {
    if (focusOnMount) textarea.current?.focus()
  }, [focusOnMount])

  const { text, postId } = draft
  const maxLength = formatCount(maxText)
  const maxPerDay = limits.massMessagesPerDay
  const nextTime = timeUntil(data.nextAt)
  const skipped = Math.max(0, data.subscribers - data.recipients)
  return (
    <Box display="grid" gap="3">
      <Box>
        <NoteField
          ref={textarea}
          label={t`Message`}
          rows={4}
          placeholder={t`Share some news with your subscribers`}
          value={text}
          onChange={(next) => changeDraft({ text: next })}
          max={maxText}
          tooLong={t`Your message can have at most ${maxLength} characters.`}
        />
        <Box display="flex" alignItems="center" gap="1" marginTop="1">
          <Button
            ref={postButton}
            variant="ghost"
            size="sm"
            paddingInline="3"
            marginInlineStart="-3"
            onClick={() => setPicking(true)}
          >
            <PostIcon /> {postId ? t`Change post` : t`Add a post`}
          </Button>
          {postId && (
            <Button
              variant="ghost"
              size="sm"
              paddingInline="3"
              onClick={() => {
                changeDraft({ postId: null })
                postButton.current?.focus()
              }}
            >
              <CloseIcon /> {t`Remove post`}
            </Button>
          )}
          <Box marginInlineStart="auto" marginInlineEnd="-3">
            <EmojiPicker
              focusTarget={textarea}
              onChoose={(emoji) =>
                textarea.current && insertText(textarea.current, emoji, (next) => changeDraft({ text: next }))
              }
            />
          </Box>
        </Box>
      </Box>
      {(text.trim() !== '' || postId) && (
        <MessagePreview text={text.trim()} postId={postId}>
          <SubscribersNote own={false} />
        </MessagePreview>
      )}
      {data.nextAt ? (
        <Notice>{t`You’ve sent ${maxPerDay} messages in 24 hours. You can send another ${nextTime}.`}</Notice>
      ) : (
        skipped > 0 && (
          <Notice>
            {plural(skipped, {
              one: '# subscriber can’t be messaged and won’t get it.',
              other: '# subscribers can’t be messaged and won’t get it.',
            })}
          </Notice>
        )
      )}
      <Notice>
        <Trans>
          Only current subscribers get this message. For new subscribers, write a{' '}
          <TextLink to={paths.settings.getHref('creator')} underlined>
            welcome message
          </TextLink>
          .
        </Trans>
      </Notice>
      {isPicking !== null && (
        <posts.Picker
          open={isPicking}
          onClose={() => setPicking(false)}
          onChoose={(chosenId) => {
            changeDraft({ postId: chosenId })
            setPicking(false)
          }}
          finalFocus={() => postButton.current}
        />
      )}
    </Box>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <Box textStyle="small" color="muted" textWrap="pretty">
      {children}
    </Box>
  )
}

/** Shows the progress while a message is being sent, and then the result. */
function Delivery({ message }: { message: MassMessage }) {
  const { sent, recipients, finishedAt } = message
  const isSending = finishedAt === null
  const sentCount = formatCount(sent)
  const total = plural(recipients, { one: '# subscriber', other: '# subscribers' })
  return (
    <Box display="flex" flexDirection="column" alignItems="center" textAlign="center" paddingBlock="4">
      <Box
        display="grid"
        placeItems="center"
        boxSize="14"
        borderRadius="full"
        bg="ember.wash"
        color="ember.text"
        fontSize="2xl"
        marginBottom="3"
      >
        {isSending || message.stopped ? <MegaphoneIcon /> : <CheckIcon />}
      </Box>
      <Box role="status" textStyle="title">
        {isSending ? t`Sending…` : resultText(message)}
      </Box>
      {isSending ? (
        <Box width="100%" marginTop="4">
          <UploadProgressBar label={t`Sent`} percent={Math.min(100, Math.floor((100 * sent) / recipients))} />
          <Box textStyle="small" color="muted" marginTop="2" fontVariantNumeric="tabular-nums">
            {t`${sentCount} of ${total}`}
          </Box>
          <Box textStyle="small" color="muted" marginTop="1">
            {t`You can close this window. Sending continues.`}
          </Box>
        </Box>
      ) : (
        <Box color="muted" marginTop="1.5" maxWidth="22rem" textWrap="balance">
          {t`Replies arrive in your messages, each in a conversation of its own.`}
        </Box>
      )}
    </Box>
  )
}

/** Returns text that says how many subscribers got a finished message. */
function resultText({ sent, recipients, stopped }: MassMessage): string {
  const total = plural(recipients, { one: '# subscriber', other: '# subscribers' })
  const sentCount = formatCount(sent)
  if (stopped) return t`Stopped after ${sentCount} of ${total}`
  if (sent < recipients) return t`Sent to ${sentCount} of ${total}`
  return t`Sent to ${plural(sent, { one: '# subscriber', other: '# subscribers' })}`
}

function History({ messages }: { messages: MassMessage[] }) {
  if (messages.length === 0) return null
  return (
    <Box as="section" borderTopWidth="1px" marginTop="5" paddingTop="4">
      <Box as="h3" textStyle="label" marginBottom="1">
        {t`Your last messages to subscribers`}
      </Box>
      <Box as="ul" listStyleType="none">
        {messages.map((message) => {
          const readCount = message.read === null ? null : formatCount(message.read)
          return (
            <Box as="li" key={message.id} paddingBlock="2.5" _notLast={{ borderBottomWidth: '1px' }}>
              <Box lineClamp="2" overflowWrap="anywhere" dir="auto">
                {contentPreview(message.content)}
              </Box>
              <Box textStyle="small" color="muted" marginTop="0.5" fontVariantNumeric="tabular-nums">
                <TimeAgo at={message.createdAt} /> · {resultText(message)}
                {readCount !== null && <> · {t`Read by ${readCount}`}</>}
              </Box>
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}
