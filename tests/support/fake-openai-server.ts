import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

/** The response to a chat completion request: text from the model, or a failure. */
export type ScriptedResponse =
  | { post: string; usage?: unknown }
  /** The model's raw output and its finish reason. */
  | { text: string; finish?: string; refusal?: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Never responds. */
  | 'hang'
  /** Resets the connection without a response. */
  | 'reset'
  /** Closes the connection in the middle of the body. */
  | 'half'
  /** Sends a complete but unusable response: an HTML page, 600 kB of text, or no choices. */
  | 'html'
  | 'huge'
  | 'no choices'
  /** Sends headers and one byte, then stalls. */
  | 'drip'

type Message = { role: string; content: string }
/** A request that the server received. */
type RecordedRequest = {
  path: string
  authorization: string
  body: { model?: string; messages?: Message[]; input?: string; [more: string]: unknown }
}

export type FakeOpenAi = {
  /** The value for OPENAI_BASE_URL. */
  url: string
  calls: RecordedRequest[]
  /**
   * Replaces the behavior. Omitted options are reset to their defaults. `write` returns the response to the prompt of a
   * chat completion, and `flags` returns whether moderation flags the text.
   */
  setBehavior(behavior: {
    write?: (prompt: string, call: RecordedRequest) => ScriptedResponse
    flags?: (text: string) => boolean
  }): void
  /** Makes chat completions wait, and returns a function that lets them continue. */
  holdCompletions(): () => void
  stop(): Promise<void>
}

/** Starts a local server with the two OpenAI endpoints that the app calls through the OpenAI SDK. */
export async function startFakeOpenAi(): Promise<FakeOpenAi> {
  const calls: RecordedRequest[] = []
  let write: (prompt: string, call: RecordedRequest) => ScriptedResponse = () => ({ post: randomPostText() })
  let flags: (text: string) => boolean = () => false
  let heldCompletions: Promise<void> = Promise.resolve()

  const server = createServer(async (request, response) => {
    const call = await readRequest(request)
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
    await heldCompletions
    respond(write((call.body.messages ?? []).map(({ content }) => content).join('\n'), call), response)
  })
  const { url, stop } = await listen(server)
  return {
    url: `${url}/v1`,
    calls,
    setBehavior(behavior) {
      write = behavior.write ?? (() => ({ post: randomPostText() }))
      flags = behavior.flags ?? (() => false)
    },
    holdCompletions() {
      let release = () => {}
      heldCompletions = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    stop,
  }
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  let text = ''
  for await (const chunk of request) text += chunk
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    body: JSON.parse(text) as RecordedRequest['body'],
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

function respond(script: ScriptedResponse, response: ServerResponse) {
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

const subjects = [
  'the market',
  'my old bicycle',
  'a grey heron',
  'the night train',
  'sourdough',
  'a broken kettle',
]
const predicates = [
  'made me late',
  'taught me patience',
  'is louder than last year',
  'smells of summer',
  'changed my plans',
]
const endings = [
  'What was yours?',
  'I would do it again.',
  'Nobody had told me.',
  'I will try again tomorrow.',
]
let postCount = 0

/** Returns text that is acceptable as a post and unique on every call. */
export function randomPostText(): string {
  const n = postCount++
  const pick = (list: string[], step: number) => list[Math.floor(n / step) % list.length]
  const words = Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 8).replace(/\d/g, 'e'))
  return `Today ${pick(subjects, 1)} ${pick(predicates, 6)}: ${words.join(' ')}. ${pick(endings, 3)}`
}
