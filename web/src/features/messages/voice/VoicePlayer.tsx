import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { formatDuration, numberFormat } from '@/lib/format'
import { Button } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { PauseIcon, PlayIcon } from '@/ui/icons'
import type { Bubble, BubbleVoice } from '../model/bubbles'
import { useObjectUrl } from '../useObjectUrl'
import { changeRate, startPlayback, stopPlayback, usePlayback } from './playback'
import { Waveform } from './Waveform'

/** An invisible slider over the waveform. The waveform shows the position. */
const PositionInput = chakra('input', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    margin: '0',
    opacity: 0,
    cursor: 'pointer',
    // Dragging horizontally seeks, and dragging vertically scrolls the thread.
    touchAction: 'pan-y',
  },
})

/** How far an arrow key moves the position, in seconds. */
const keyStep = 1

/** Plays a voice message. */
export default function VoicePlayer({ bubble, voice }: { bubble: Bubble; voice: BubbleVoice }) {
  const audioRef = useRef<HTMLAudioElement>(null)
  const localUrl = useObjectUrl(voice.blob)
  const url = voice.url ?? localUrl
  const [duration, setDuration] = useState(voice.seconds)
  const [position, setPosition] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  const isPlaying = usePlayback(({ messageId }) => messageId === bubble.id)
  const rate = usePlayback((playback) => playback.rate)
  const speed = `${numberFormat().format(rate)}×`

  useEffect(() => {
    const audio = audioRef.current
    if (!audio) return
    if (!isPlaying) {
      audio.pause()
      return
    }
    audio.play().catch((error: unknown) => {
      // `AbortError`: the user paused before the playback began.
      if (error instanceof DOMException && error.name === 'AbortError') return
      stopPlayback(bubble.id)
      setFailed(true)
    })
  }, [isPlaying, bubble.id])
  useEffect(() => {
    if (audioRef.current) audioRef.current.playbackRate = rate
  }, [rate])
  useEffect(() => {
    const audio = audioRef.current
    return () => {
      audio?.pause()
      stopPlayback(bubble.id)
    }
  }, [bubble.id])

  const seek = (seconds: number) => {
    const next = Math.min(duration, Math.max(0, seconds))
    if (audioRef.current) audioRef.current.currentTime = next
    setPosition(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    seek(position + direction * keyStep)
  }
  const onInterrupted = ({ currentTarget }: SyntheticEvent<HTMLAudioElement>) => {
    if (currentTarget.paused) stopPlayback(bubble.id)
  }
  const toggle = () => {
    // Without this, an element that has failed would not load again.
    if (hasFailed) audioRef.current?.load()
    setFailed(false)
    if (isPlaying) stopPlayback(bubble.id)
    else startPlayback(bubble.id)
  }
  const played = formatDuration(Math.floor(position))
  const total = formatDuration(Math.round(duration))
  return (
    <Box display="flex" alignItems="center" gap="2" whiteSpace="normal">
      {/* biome-ignore lint/a11y/useMediaCaption: A recording by a user has no captions. */}
      <audio
        ref={audioRef}
        src={url ?? undefined}
        preload="none"
        onLoadedMetadata={({ currentTarget }) => {
          // Some recordings do not state their duration.
          if (Number.isFinite(currentTarget.duration)) setDuration(currentTarget.duration)
          // Loading resets the rate.
          currentTarget.playbackRate = rate
        }}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onPause={onInterrupted}
        // Fires without `pause` when the uploaded file replaces the local one.
        onEmptied={onInterrupted}
        onEnded={() => seek(0)}
        onError={() => {
          stopPlayback(bubble.id)
          setFailed(true)
        }}
      />
      <IconButton
        variant="inverse"
        label={isPlaying ? t`Pause voice message` : t`Play voice message`}
        tooltip={false}
        onClick={toggle}
      >
        {isPlaying ? <PauseIcon filled /> : <PlayIcon filled />}
      </IconButton>
      <Box flex="1" minWidth="0">
        <Box
          position="relative"
          borderRadius="xs"
          _focusWithin={{
            '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '0' },
          }}
        >
          <Waveform levels={toLevels(voice.levels)} played={position / duration} />
          <PositionInput
            type="range"
            min={0}
            max={duration}
            step={0.1}
            value={position}
            disabled={url === null}
            aria-label={t`Position`}
            aria-valuetext={t`${played} of ${total}`}
            onChange={(event) => seek(event.target.valueAsNumber)}
            onKeyDown={onKeyDown}
          />
        </Box>
        <Box textStyle="caption" fontVariantNumeric="tabular-nums">
          {hasFailed ? t`Couldn't play this` : isPlaying || position > 0 ? `${played} / ${total}` : total}
        </Box>
      </Box>
      <Button
        variant="ghost"
        paddingInline="0"
        width="target"
        textStyle="small"
        fontVariantNumeric="tabular-nums"
        aria-label={t`Speed: ${speed}`}
        onClick={changeRate}
      >
        {speed}
      </Button>
    </Box>
  )
}

/** Converts hexadecimal digits to levels from 0 to 1. Returns equal levels if there are no digits. */
const toLevels = (digits: string | null) =>
  [...(digits ?? '3'.repeat(limits.voice.levels))].map((digit) => Number.parseInt(digit, 16) / 15)
