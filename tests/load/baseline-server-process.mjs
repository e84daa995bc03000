// A server that does the minimum for a message in this runtime and on this database: one HTTP request, one insert and
// one WebSocket frame. Deno runs this file with the database URL as its argument. The server prints its port on one
// line.
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

// The type checker treats this file as Node code.
const { Deno: deno } = /** @type {{ Deno: DenoLike }} */ (/** @type {unknown} */ (globalThis))
const sql = postgres(deno.args[0] ?? '', { max: 4, fetch_types: false, onnotice: () => {} })
/** @type {Map<string, Socket>} sockets by user ID */
const sockets = new Map()

deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) }, async (request) => {
  if (request.headers.get('upgrade') === 'websocket') {
    const { socket, response } = deno.upgradeWebSocket(request)
    socket.onmessage = ({ data }) => {
      sockets.set(data, socket)
      socket.send('{}')
    }
    return response
  }
  const { id, senderId, receiverId, content } = await request.json()
  const [row] = await sql`
      insert into baseline.messages (id, sender_id, receiver_id, content)
      values (${id}, ${senderId}, ${receiverId}, ${content})
      returning id, content, created_at`
  sockets.get(receiverId)?.send(JSON.stringify({ message: row }))
  return Response.json(row, { status: 201 })
})
