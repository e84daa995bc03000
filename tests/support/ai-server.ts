import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server answers to a call that writes: a text of the model, or one of the ways to fail. */
export type Script =
  | { post: string; usage?: unknown }
  /** The model's text as it is, and how it ended. */
  | { text: string; finish?: string; refusal?: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Never answers; cuts the connection at once, or in the middle of the answer. */
  | 'hang'
  | 'reset'
  | 'half'
  /** Answers that are whole and make no sense. */
  | 'html'
  | 'huge'
  | 'no choices'
  /** Begins to answer, and never ends. */
  | 'drip'

type Message = { role: string; content: string }
/** A call as it came in. */
type AiCall = {
  path: string
  authorization: string
  body: { model?: string; messages?: Message[]; input?: string; [more: string]: unknown }
}

export type LocalAi = {
  /** What OPENAI_BASE_URL is set to. */
  url: string
  calls: AiCall[]
  /** Chooses what a call that writes is answered, by its prompt as text; and whether the moderation flags a text. */
  behave(behaviour: {
    write?: (prompt: string, call: AiCall) => Script
    flags?: (text: string) => boolean
  }): void
  /** The next calls that write wait until the function that this answers is called. */
  hold(): () => void
  stop(): Promise<void>
}

/** A small local server that speaks the two calls of OpenAI's API that are used, for the provider's own SDK. */
export async function startAi(): Promise<LocalAi> {
  const calls: AiCall[] = []
  let write: (prompt: string, call: AiCall) => Script = () => ({ post: somePost() })
  let flags: (text: string) => boolean = () => false
  let held: Promise<void> = Promise.resolve()

  const server = createServer(async (request, response) => {
    const call = await readCall(request)
    calls.push(call)
    if (request.url === '/v1/moderations') {
      return json(response, 200, {
        id: 'modr-1',
        model: 'omni-moderation-latest',
        results: [{ flagged: flags(call.body.input ?? ''), categories: {}, category_scores: {} }],
      })
    }
    if (request.url !== '/v1/chat/completions')
      return json(response, 404, { error: { message: 'Not found' } })
    await held
    play(write((call.body.messages ?? []).map(({ content }) => content).join('\n'), call), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    behave(behaviour) {
      write = behaviour.write ?? (() => ({ post: somePost() }))
      flags = behaviour.flags ?? (() => false)
    },
    hold() {
      let goOn = () => {}
      held = new Promise((resolve) => {
        goOn = resolve
      })
      return goOn
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readCall(request: IncomingMessage): Promise<AiCall> {
  let text = ''
  for await (const chunk of request) text += chunk
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    body: JSON.parse(text) as AiCall['body'],
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const completion = (message: object, finish = 'stop', usage?: unknown) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', refusal: null, ...message } }],
  usage: usage ?? { prompt_tokens: 400, completion_tokens: 100, total_tokens: 500 },
})

function play(script: Script, response: ServerResponse) {
  if (typeof script === 'object') {
    if ('post' in script) {
      const content = JSON.stringify({ post: script.post })
      return json(response, 200, completion({ content }, 'stop', script.usage))
    }
    if ('text' in script) {
      const { text: content, finish, refusal = null } = script
      return json(response, 200, completion({ content, refusal }, finish))
    }
    const { status, headers = {}, body = JSON.stringify({ error: { message: 'No.', code: null } }) } = script
    return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
  switch (script) {
    case 'hang':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write('{"choices":[{"message":{"content":"{\\"post\\":\\"It begins well')
      setTimeout(() => response.socket?.destroy(), 20)
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please sign in</body></html>')
      return
    case 'huge':
      return json(response, 200, completion({ content: 'a'.repeat(600_000) }))
    case 'no choices':
      return json(response, 200, { id: 'x', choices: [] })
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json' }).write(' ')
  }
}

const things = [
  'the market',
  'my old bicycle',
  'a grey heron',
  'the night train',
  'sourdough',
  'a broken kettle',
]
const doings = [
  'made me late',
  'taught me patience',
  'is louder than last year',
  'smells of summer',
  'changed my plans',
]
const ends = ['What was yours?', 'I would do it again.', 'Nobody had told me.', 'Tomorrow I try once more.']
let made = 0

/** A good post, each time another one. */
export function somePost(): string {
  const n = made++
  const pick = (list: string[], step: number) => list[Math.floor(n / step) % list.length]
  const words = Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 8).replace(/\d/g, 'e'))
  return `Today ${pick(things, 1)} ${pick(doings, 6)}: ${words.join(' ')}. ${pick(ends, 3)}`
}
