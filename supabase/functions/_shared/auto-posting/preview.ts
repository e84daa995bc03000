import type { AutoPreview } from '../contract/auto-posting.ts'
import { asUser } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { runPreview } from './due.ts'

/** Refuses whoever may not see what a program would write for this person, and persons for whom it never writes. */
async function requirePreview(caller: Caller, userId: string): Promise<void> {
  const [, [person]] = await asUser(caller, (tx) => [
    tx`select private.require_manageable(${userId}::text::uuid)`,
    tx<{ isCreator: boolean }[]>`
      select p.is_creator as "isCreator" from public.profiles p where p.id = ${userId}::text::uuid`,
  ])
  if (!person?.isCreator)
    throw new ApiError(403, 'Auto-posting is for creators only.', { code: 'creators_only' })
}

/**
 * What a program would write for somebody now; published nowhere, and recorded like every other run.
 *
 * @throws ApiError 403 for who is no admin, for an admin's account, for who is no creator; 404; 409 without a key that is
 *   taken, and where the day's costs are reached; 502 where no good answer came, 503 where none came at all
 */
export async function preview(caller: Caller, userId: string): Promise<AutoPreview> {
  await requirePreview(caller, userId)
  const { content, model, costMicros, basedOn, refusal, detail, problem, outcome } = await runPreview(userId)
  if (content !== null && outcome === 'previewed')
    return { content, model, cost: costMicros / 1_000_000, basedOn }
  const said = detail ?? 'Nothing came of it.'
  if (refusal) throw new ApiError(409, said, { code: 'cost_cap_reached' })
  if (problem?.keyRefused) throw new ApiError(409, said, { code: 'ai_key_refused' })
  if (outcome === 'refused') {
    throw new ApiError(502, `The AI wrote nothing that could be published. ${said}`, {
      code: 'ai_answer_unusable',
    })
  }
  throw new ApiError(503, said, { code: 'ai_unavailable' })
}
