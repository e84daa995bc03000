import OpenAI from 'openai'
import { z } from 'zod'
import { boundedFetch } from './bounded-fetch.ts'
import { costOf, mostInput, mostOutput, type Prices } from './cost.ts'
import { readFailure } from './failures.ts'
import { ProviderProblem } from './problem.ts'
import type { Message } from './prompt.ts'

/** How long the provider is waited for, in milliseconds. */
export type Patience = {
  /** One call, to the end of its answer. */
  call: number
  /** Before a first repetition; before the second one twice that. */
  pause: number
}
export const usualPatience: Patience = { call: 20_000, pause: 500 }

/** How often a call is made at most. */
export const mostTries = 3

/** What a run has used so far: added to by every call, so that it is known when a run ends with a failure too. */
export type Used = { calls: number; inputTokens: number; outputTokens: number; costMicros: number }

type Settings = {
  baseUrl: string | undefined
  apiKey: string
  model: string
  prices: Prices
  /** The moment, of `performance.now()`, by which all is over. */
  deadline: number
  patience: Patience
}

const tokens = z.number().int().min(0).max(10_000_000)
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
})
const Moderation = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) })

/** An answer that is whole but of no use is none: it is asked for again, like one that was lost. */
class Unreadable extends Error {}

/**
 * The AI provider, for one run: OpenAI's API, or what speaks it at OPENAI_BASE_URL.
 *
 * Repetitions are made here and not by the SDK: they keep to the run's time, and are counted.
 */
export function openProvider({ baseUrl, apiKey, model, prices, deadline, patience }: Settings) {
  const used: Used = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 }

  const clientFor = (time: number) =>
    new OpenAI({
      apiKey,
      ...(baseUrl ? { baseURL: baseUrl } : {}),
      // Left out, the SDK would read them from environment variables of its own.
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: time + 1000,
      fetch: boundedFetch(time),
      // The SDK's log repeats what was sent and answered.
      logLevel: 'off',
    })

  /** Makes a call until it goes well, `mostTries` times at most. `most` is what it costs where that is not told. */
  async function call<Answer>(most: number, work: (client: OpenAI) => Promise<Answer>): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const time = Math.min(patience.call, deadline - performance.now())
      if (time < 100) throw new ProviderProblem('There was no time left for the provider.')
      used.calls++
      try {
        return await work(clientFor(time))
      } catch (error) {
        const failure = readFailure(error, Date.now())
        if (failure instanceof ProviderProblem) throw failure
        if (failure.mayCost) used.costMicros += most
        const wait = failure.wait ?? patience.pause * 2 ** (tried - 1) * (0.75 + Math.random() / 2)
        const left = deadline - performance.now()
        // What would end beyond the run's time, or leave none for the answer, is not waited for.
        if (tried >= mostTries || wait + Math.min(patience.call, 1000) > left) {
          throw new ProviderProblem(failure.message)
        }
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }

  return {
    used,

    /**
     * Has an answer written.
     *
     * @returns its text; `cut` where it is not whole, `refused` where the model declined
     * @throws ProviderProblem
     */
    async write(messages: readonly Message[]): Promise<{ text: string; cut: boolean; refused: boolean }> {
      const input = mostInput(messages)
      return await call(costOf(input, mostOutput, prices), async (client) => {
        const { choices, usage } = read(
          Completion,
          await client.chat.completions.create({
            model,
            messages: [...messages],
            response_format: { type: 'json_object' },
            max_completion_tokens: mostOutput,
          }),
        )
        const [inputTokens, outputTokens] = usage
          ? [usage.prompt_tokens, usage.completion_tokens]
          : [input, mostOutput]
        used.inputTokens += inputTokens
        used.outputTokens += outputTokens
        used.costMicros += costOf(inputTokens, outputTokens, prices)
        const [choice] = choices
        const reason = choice?.finish_reason
        return {
          text: choice?.message.content ?? '',
          cut: reason === 'length',
          refused: Boolean(choice?.message.refusal) || reason === 'content_filter',
        }
      })
    },

    /**
     * Whether the provider's moderation objects to a text; it costs nothing.
     *
     * @throws ProviderProblem
     */
    async flags(text: string): Promise<boolean> {
      return await call(0, async (client) => {
        const answer = await client.moderations.create({ model: 'omni-moderation-latest', input: text })
        return read(Moderation, answer).results.some(({ flagged }) => flagged)
      })
    },
  }
}

export type Provider = ReturnType<typeof openProvider>

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { success, data } = schema.safeParse(answer)
  if (!success) throw new Unreadable('The answer is not what was asked for')
  return data
}
