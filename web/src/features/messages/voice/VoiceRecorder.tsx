import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatDuration } from '@/lib/format'
import { guardUnload } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { SendIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { guardEdits } from '../composer-state'
import type { OutboxVoice } from '../outbox/outbox'
import { stopPlayback } from './playback'
import { type Recording, recordingErrorText, startRecording } from './recording'
import { Waveform } from './Waveform'

const shownLevels = 48
/**
 * Until the recording is this long, clicks on the send button are ignored: they come from a double click on the record
 * button.
 */
const minMs = 500
/** Escape discards shorter recordings without asking. */
const maxUnconfirmedMs = 3000

/**
 * Records a voice message while mounted. Unmounting it discards the recording and releases the microphone. Asks before
 * an edit replaces the recorder.
 */
export default function VoiceRecorder({
  receiverId,
  onSend,
  onClose,
}: {
  receiverId: string
  onSend: (voice: OutboxVoice) => void
  onClose: () => void
}) {
  const [recording, setRecording] = useState<Recording | null>(null)
  const [hasEnded, setHasEnded] = useState(false)
  const [elapsedMs, setElapsedMs] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>(() => Array(shownLevels).fill(0))
  // What to do once the user agrees to discard the recording.
  const [confirming, setConfirming] = useState<{ onDiscard: () => void } | null>(null)
  const sendButton = useRef<HTMLButtonElement>(null)
  const isSending = useRef(false)

  const onFailed = useEffectEvent((error: unknown) => {
    toast({ title: t`Couldn't record`, description: recordingErrorText(error), tone: 'destructive' })
    onClose()
  })
  useEffect(() => {
    let isUnmounted = false
    let started: Recording | undefined
    stopPlayback()
    startRecording({
      onLevel: (level, elapsed) => {
        setLevels((current) => [...current.slice(1), level])
        setElapsedMs(elapsed)
      },
      onEnd: () => setHasEnded(true),
    }).then(
      (next) => {
        started = next
        if (isUnmounted) next.cancel()
        else setRecording(next)
      },
      (error) => !isUnmounted && onFailed(error),
    )
    return () => {
      isUnmounted = true
      started?.cancel()
    }
  }, [])
  useEffect(
    () => (recording ? guardEdits(receiverId, (onDiscard) => setConfirming({ onDiscard })) : undefined),
    [recording, receiverId],
  )
  useEffect(() => {
    if (!recording) return
    sendButton.current?.focus()
    return guardUnload()
  }, [recording])

  const send = async () => {
    if (!recording || isSending.current || (elapsedMs < minMs && !hasEnded)) return
    isSending.current = true
    const voice = await recording.finish()
    if (voice) onSend(voice)
    else toast({ title: t`Couldn't record`, description: t`Nothing was recorded.`, tone: 'destructive' })
    onClose()
  }
  const elapsed = formatDuration(Math.floor(elapsedMs / 1000))
  const maxDuration = formatDuration(limits.voice.maxSeconds)
  return (
    <>
      <Box
        role="group"
        aria-label={t`Voice message`}
        paddingInline="4"
        paddingBlock="3"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (elapsedMs > maxUnconfirmedMs) setConfirming({ onDiscard: onClose })
          else onClose()
        }}
      >
        <Box display="flex" alignItems="center" gap="3">
          <Button variant="ghost" marginInlineStart="-3" paddingInline="3" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Box
            display="flex"
            alignItems="center"
            gap="3"
            flex="1"
            minWidth="0"
            height="target"
            paddingInline="4"
            borderRadius="lg"
            bg="sunken"
          >
            {recording ? (
              <>
                <Box
                  aria-hidden
                  boxSize="2.5"
                  flexShrink={0}
                  borderRadius="full"
                  bg={hasEnded ? 'muted' : 'danger.solid'}
                />
                <Box as="span" role="timer" textStyle="small" fontVariantNumeric="tabular-nums">
                  {elapsed}
                </Box>
                <Box flex="1" minWidth="0" color="ember.text">
                  <Waveform levels={levels} />
                </Box>
              </>
            ) : (
              <Box as="span" truncate textStyle="small" color="muted">
                {t`Waiting for the microphone…`}
              </Box>
            )}
          </Box>
          <IconButton
            ref={sendButton}
            variant="ember"
            label={t`Send voice message`}
            tooltip={false}
            disabled={!recording}
            _disabled={{ bg: 'fill', color: 'muted', opacity: 1 }}
            onClick={() => void send()}
          >
            <SendIcon />
          </IconButton>
        </Box>
        <Box role="status" textStyle="caption" color="muted" textAlign="end">
          {hasEnded
            ? elapsedMs < limits.voice.maxSeconds * 1000
              ? t`The recording has stopped. You can still send it.`
              : t`A voice message can be up to ${maxDuration} long.`
            : recording && <VisuallyHidden>{t`Recording`}</VisuallyHidden>}
        </Box>
      </Box>
      <ConfirmDialog
        open={confirming !== null}
        onClose={() => setConfirming(null)}
        onConfirm={() => confirming?.onDiscard()}
        title={t`Discard this recording?`}
        text={t`Your voice message hasn’t been sent.`}
        confirmLabel={t`Discard`}
        cancelLabel={t`Keep recording`}
        finalFocus={() => sendButton.current}
      />
    </>
  )
}
