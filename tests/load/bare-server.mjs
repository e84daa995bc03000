// What a message costs at least in this runtime, on this database: HTTP, one row, a websocket, and nothing else. Run by
// Deno, with the database's address as its argument; says its port on one line.
import postgres from 'postgres'

/**
 * @typedef {{ onmessage: (event: { data: string }) => void, onclose: () => void, send(text: string): void }} Socket
 * @typedef {{
 *   args: string[],
 *   serve(options: { hostname: string, port: number, onListen(address: { port: number }): void },
 *         handler: (request: Request) => Response | Promise<Response>): unknown,
 *   upgradeWebSocket(request: Request): { socket: Socket, response: Response },
 * }} DenoLike
 */

// These files are checked as Node's.
const { Deno: deno } = /** @type {{ Deno: DenoLike }} */ (/** @type {unknown} */ (globalThis))
const sql = postgres(deno.args[0] ?? '', { max: 4, fetch_types: false, onnotice: () => {} })
/** @type {Map<string, Socket>} who listens, by id */
const listening = new Map()

deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) }, async (request) => {
  if (request.headers.get('upgrade') === 'websocket') {
    const { socket, response } = deno.upgradeWebSocket(request)
    socket.onmessage = ({ data }) => {
      listening.set(data, socket)
      socket.send('{}')
    }
    return response
  }
  const { id, senderId, receiverId, content } = await request.json()
  const [row] = await sql`
      insert into bare.messages (id, sender_id, receiver_id, content)
      values (${id}, ${senderId}, ${receiverId}, ${content})
      returning id, content, created_at`
  listening.get(receiverId)?.send(JSON.stringify({ message: row }))
  return Response.json(row, { status: 201 })
})
