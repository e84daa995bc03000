import { z } from 'zod'
import { type Against, faultOf, scrub } from './checks.ts'
import { ProviderProblem } from './problem.ts'
import { type Material, type Message, promptFor } from './prompt.ts'
import type { Provider } from './provider.ts'

/** How often the model may try: a second time, told what was wrong. */
export const mostAttempts = 2

/** What came of writing one post. */
export type Written = {
  /** Good to be published; null otherwise. */
  content: string | null
  /** 'refused' by our own checks, 'failed' at the provider. */
  outcome: 'good' | 'refused' | 'failed'
  /** Why there is none. */
  detail: string | null
  problem: ProviderProblem | null
  /** What was sent last, and what came back: without secrets. */
  prompt: Message[]
  answer: string | null
}

const Answer = z.object({ post: z.string() })

/**
 * Has a post written and checks it: by our own rules, then by the provider's moderation. What is not found good by both
 * is never handed on as content.
 *
 * @param chance a number from 0 to 1 for each attempt, which chooses what it is about
 */
export async function writePost(
  provider: Provider,
  material: Material | null,
  against: Against,
  chance: () => number,
): Promise<Written> {
  let prompt: Message[] = []
  let answer: string | null = null
  let fault: string | null = null
  try {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      prompt = promptFor(material, chance(), fault)
      const { text, cut, refused } = await provider.write(prompt)
      const post = postIn(text)
      // As it will be read, not as it was escaped: so nothing hides in the record of the run either.
      answer = scrub(post ?? text, against.secrets)
      fault = refused
        ? 'The model declined.'
        : cut
          ? 'It was cut off.'
          : post === null
            ? 'It was not the JSON that was asked for.'
            : faultOf(post, against)
      if (fault === null && post !== null) {
        if (!(await provider.flags(post)))
          return { content: post, outcome: 'good', detail: null, problem: null, prompt, answer }
        fault = 'The moderation objected to it.'
      }
    }
    return { content: null, outcome: 'refused', detail: fault, problem: null, prompt, answer }
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    return { content: null, outcome: 'failed', detail: error.message, problem: error, prompt, answer }
  }
}

/** The post of an answer, trimmed; null when it is not the JSON that was asked for. */
function postIn(text: string): string | null {
  try {
    const { success, data } = Answer.safeParse(JSON.parse(text))
    return success ? data.post.trim().replaceAll('\r\n', '\n') : null
  } catch {
    return null
  }
}
