import { limits } from '../contract/limits.ts'
import { uploadErrors, VoiceFields, type VoiceUpload } from '../contract/media.ts'
import { parseFormFields } from '../http/app.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import { detectVoiceType, type VoiceType, videoHeaderBytes } from './file-types.ts'
import { storeMedia } from './media-store.ts'
import { mediaUrl } from './media-url.ts'
import { openFileFormWithTextFields, readAllBytes } from './multipart-form.ts'
import { withUploadSlot } from './runtime-limits.ts'
import { findVideoDuration } from './video-duration.ts'

/** The timeout for receiving the whole form. */
const receiveTimeoutMs = 120_000

/**
 * Receives and stores the recording of a voice message. The duration comes from the file or, if the file does not
 * state it (as with most browsers' recordings), from the client.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export async function uploadVoice(caller: Caller, request: Request): Promise<VoiceUpload> {
  return await withUploadSlot(caller, async (slot) => {
    const form = await openFileFormWithTextFields(request, {
      field: 'voice',
      maxBytes: limits.voice.maxBytes,
      timeoutMs: receiveTimeoutMs,
      missingMessage: uploadErrors.noVoice,
      tooLargeMessage: uploadErrors.voiceSize,
      tooLongMessages: { seconds: 'This is too long.', levels: 'This is too long.' },
    })
    const bytes = await readAllBytes(form.file, slot.reserveBytes)
    const textFields = await form.readTextFields()
    slot.markReceived()
    if (bytes.length === 0) throw invalidField('voice', uploadErrors.noVoice)
    const type = detectVoiceType(bytes.subarray(0, videoHeaderBytes))
    if (!type) throw new ApiError(415, uploadErrors.voiceType)
    const fields = parseFormFields(VoiceFields, textFields)
    const seconds = (await readDuration(bytes, type)) ?? fields.seconds
    const file = { bytes, seconds, placeholder: fields.levels }
    return { voiceUrl: mediaUrl(await storeMedia(caller, type, file, request.signal)), seconds }
  })
}

/** Returns the duration stated in a recording, in seconds and capped at the maximum, or null if it states none. */
async function readDuration(bytes: Uint8Array, type: VoiceType): Promise<number | null> {
  const read = async (from: number, length: number) => bytes.subarray(from, from + length)
  const seconds = await findVideoDuration(
    read,
    bytes.length,
    type === 'audio/mp4' ? 'video/mp4' : 'video/webm',
  )
  return seconds && Math.min(seconds, limits.voice.maxSeconds)
}
