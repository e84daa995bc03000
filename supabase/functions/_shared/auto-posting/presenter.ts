import { sql } from '../db/sql.ts'
import { userCardFields } from '../users/presenter.ts'

/** SQL for an `AutoDraft` as JSON text, built from the draft `f`. */
export const draftJson = sql`json_build_object(
  'id', f.id, 'content', f.content, 'state', f.state, 'createdAt', f.created_at, 'decidedAt', f.decided_at,
  'expiresAt', f.created_at + private.draft_lifetime())::text`

/** SQL for an `AutoRun` as JSON text, built from the run `r` and its user's profile `u`, which may be missing. */
export const autoRunJson = sql`json_build_object(
  'id', r.id, 'userId', r.user_id,
  'user', case when u.id is not null then json_build_object(${userCardFields}) end,
  'kind', r.kind, 'startedAt', r.started_at, 'endedAt', r.ended_at, 'outcome', r.outcome, 'detail', r.detail,
  'model', r.model, 'prompt', r.prompt, 'answer', r.answer, 'inputTokens', r.input_tokens,
  'outputTokens', r.output_tokens, 'cost', r.cost_micros / 1000000.0, 'calls', r.calls,
  'postId', r.post_id, 'draftId', r.draft_id)::text`
