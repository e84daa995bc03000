/** US dollars per million tokens, which equals millionths of a dollar per token. */
export type Prices = { inputPrice: number; outputPrice: number }

/** The maximum number of tokens in a response. */
export const maxOutputTokens = 800

/** Returns what the tokens cost in millionths of a US dollar, rounded up. */
export const costMicrosOf = (
  inputTokens: number,
  outputTokens: number,
  { inputPrice, outputPrice }: Prices,
): number => Math.ceil(inputTokens * inputPrice + outputTokens * outputPrice)

/**
 * Returns an upper bound on the number of tokens in a prompt: a token is at least one byte, and each message adds a few
 * tokens.
 */
export function maxInputTokens(messages: readonly { content: string }[]): number {
  const encoder = new TextEncoder()
  return messages.reduce((sum, { content }) => sum + encoder.encode(content).length + 20, 20)
}
