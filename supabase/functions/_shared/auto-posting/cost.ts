/** US dollars a million tokens: which is as many millionths of a dollar a token. */
export type Prices = { inputPrice: number; outputPrice: number }

/** Tokens that an answer may have at most. */
export const mostOutput = 800

/** What so many tokens cost, in millionths of a US dollar, rounded up. */
export const costOf = (input: number, output: number, { inputPrice, outputPrice }: Prices): number =>
  Math.ceil(input * inputPrice + output * outputPrice)

/** Tokens that a prompt has at most: each is a byte or more, and every message has a few around it. */
export function mostInput(messages: readonly { content: string }[]): number {
  const encoder = new TextEncoder()
  return messages.reduce((sum, { content }) => sum + encoder.encode(content).length + 20, 20)
}
