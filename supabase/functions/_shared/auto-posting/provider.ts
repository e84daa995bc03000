import OpenAI from 'openai'
import { z } from 'zod'
import { createBoundedFetch } from './bounded-fetch.ts'
import { costMicrosOf, maxInputTokens, maxOutputTokens, type Prices } from './cost.ts'
import type { Message } from './prompt.ts'
import { classifyError, ProviderError } from './provider-errors.ts'

type Timeouts = {
  /** The timeout of one try, including reading the response. */
  callMs: number
  /** The delay before the first retry. The delay doubles with each retry. */
  firstRetryDelayMs: number
}
export const defaultTimeouts: Timeouts = { callMs: 20_000, firstRetryDelayMs: 500 }

/** The maximum number of tries per call: the first one and its retries. */
export const maxTries = 3

/** What a run has used so far. Every call adds to it, so that the usage of a failed run is known too. */
export type Usage = { calls: number; inputTokens: number; outputTokens: number; costMicros: number }

type Settings = {
  baseUrl: string | undefined
  apiKey: string
  model: string
  prices: Prices
  /** The value of `performance.now()` by which the run has to end. */
  deadline: number
  timeouts: Timeouts
}

const TokenCount = z.number().int().min(0).max(10_000_000)
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: TokenCount, completion_tokens: TokenCount }).nullish().catch(null),
})
const Moderation = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) })

/** A complete response with an unexpected shape. The call is retried as if the response had been lost. */
class UnexpectedResponseError extends Error {}

/**
 * Creates the client with which one run calls the AI provider: OpenAI's API, or a compatible server at OPENAI_BASE_URL.
 *
 * The client retries failed calls itself, because the SDK's retries would neither respect the run's deadline nor be
 * counted.
 */
export function createProvider({ baseUrl, apiKey, model, prices, deadline, timeouts }: Settings) {
  const used: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 }

  const createClient = (timeoutMs: number) =>
    new OpenAI({
      apiKey,
      ...(baseUrl ? { baseURL: baseUrl } : {}),
      // If these were omitted, the SDK would read them from its own environment variables.
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: timeoutMs + 1000,
      fetch: createBoundedFetch(timeoutMs),
      // The SDK's log contains requests and responses.
      logLevel: 'off',
    })

  /**
   * Makes a call and retries it if it fails, up to `maxTries` tries in total.
   *
   * @param maxCostMicros the cost to count for a try whose response is lost
   * @throws ProviderError
   */
  async function call<Result>(
    maxCostMicros: number,
    work: (client: OpenAI) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const timeoutMs = Math.min(timeouts.callMs, deadline - performance.now())
      if (timeoutMs < 100) throw new ProviderError('There was no time left to call the provider.')
      used.calls++
      try {
        return await work(createClient(timeoutMs))
      } catch (error) {
        const failure = classifyError(error, Date.now())
        if (failure instanceof ProviderError) throw failure
        if (failure.mayCost) used.costMicros += maxCostMicros
        const jitter = 0.75 + Math.random() / 2
        const delayMs = failure.retryAfterMs ?? timeouts.firstRetryDelayMs * 2 ** (tries - 1) * jitter
        const remainingMs = deadline - performance.now()
        // Does not wait if too little time would be left for a response.
        if (tries >= maxTries || delayMs + Math.min(timeouts.callMs, 1000) > remainingMs) {
          throw new ProviderError(failure.message)
        }
        await new Promise((resolve) => setTimeout(resolve, delayMs))
      }
    }
  }

  return {
    used,

    /**
     * Generates a completion.
     *
     * @returns the completion's text; `isTruncated` if it reached the token limit, `isRefused` if the model declined
     * @throws ProviderError
     */
    async complete(
      messages: readonly Message[],
    ): Promise<{ text: string; isTruncated: boolean; isRefused: boolean }> {
      const maxInput = maxInputTokens(messages)
      return await call(costMicrosOf(maxInput, maxOutputTokens, prices), async (client) => {
        const { choices, usage } = parseResponse(
          Completion,
          await client.chat.completions.create({
            model,
            messages: [...messages],
            response_format: { type: 'json_object' },
            max_completion_tokens: maxOutputTokens,
          }),
        )
        const [inputTokens, outputTokens] = usage
          ? [usage.prompt_tokens, usage.completion_tokens]
          : [maxInput, maxOutputTokens]
        used.inputTokens += inputTokens
        used.outputTokens += outputTokens
        used.costMicros += costMicrosOf(inputTokens, outputTokens, prices)
        const [choice] = choices
        const reason = choice?.finish_reason
        return {
          text: choice?.message.content ?? '',
          isTruncated: reason === 'length',
          isRefused: Boolean(choice?.message.refusal) || reason === 'content_filter',
        }
      })
    },

    /**
     * Returns whether the provider's moderation flags the text. The call is free of charge.
     *
     * @throws ProviderError
     */
    async isFlagged(text: string): Promise<boolean> {
      return await call(0, async (client) => {
        const response = await client.moderations.create({ model: 'omni-moderation-latest', input: text })
        return parseResponse(Moderation, response).results.some(({ flagged }) => flagged)
      })
    },
  }
}

export type Provider = ReturnType<typeof createProvider>

function parseResponse<T>(schema: z.ZodType<T>, response: unknown): T {
  const { success, data } = schema.safeParse(response)
  if (!success) throw new UnexpectedResponseError('The response does not have the expected shape')
  return data
}
