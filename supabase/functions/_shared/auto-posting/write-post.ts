import { z } from 'zod'
import { type CheckContext, findFault, scrub } from './content-checks.ts'
import { buildPrompt, type CreatorContext, type Message } from './prompt.ts'
import type { Provider } from './provider.ts'
import { ProviderError } from './provider-errors.ts'

/** The maximum number of attempts. The second prompt explains what was wrong with the first response. */
export const maxAttempts = 2

export type WriteResult = {
  /** The text to publish; null if there is none. */
  content: string | null
  /** `good`: there is content. `refused`: no response passed the checks. `failed`: the provider or our code failed. */
  outcome: 'good' | 'refused' | 'failed'
  /** Why there is no content. */
  detail: string | null
  error: ProviderError | null
  /** The last prompt and the last response, without secrets. */
  prompt: Message[]
  answer: string | null
}

const Answer = z.object({ post: z.string() })

/**
 * Writes a post with the AI provider. Only text that passes our checks and the provider's moderation is returned as
 * content.
 *
 * @param chance returns a number from 0 to 1 for each attempt, which selects what the post is about
 */
export async function writePost(
  provider: Provider,
  creator: CreatorContext | null,
  checks: CheckContext,
  chance: () => number,
): Promise<WriteResult> {
  let prompt: Message[] = []
  let answer: string | null = null
  let fault: string | null = null
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      prompt = buildPrompt(creator, chance(), fault)
      const { text, isTruncated, isRefused } = await provider.complete(prompt)
      const post = parsePost(text)
      // Scrubs the parsed text, because `scrub` would not find a secret that is written with JSON escapes.
      answer = scrub(post ?? text, checks.secrets)
      fault = isRefused
        ? 'The model declined.'
        : isTruncated
          ? 'It was cut off.'
          : post === null
            ? 'It was not the requested JSON.'
            : findFault(post, checks)
      if (fault === null && post !== null) {
        if (!(await provider.isFlagged(post)))
          return { content: post, outcome: 'good', detail: null, error: null, prompt, answer }
        fault = "The provider's moderation flagged it."
      }
    }
    return { content: null, outcome: 'refused', detail: fault, error: null, prompt, answer }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { content: null, outcome: 'failed', detail: error.message, error, prompt, answer }
  }
}

/** Returns the trimmed post, or null if the response is not the requested JSON. */
function parsePost(answer: string): string | null {
  try {
    const { success, data } = Answer.safeParse(JSON.parse(answer))
    return success ? data.post.trim().replaceAll('\r\n', '\n') : null
  } catch {
    return null
  }
}
