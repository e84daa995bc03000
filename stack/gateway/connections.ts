import type { Log } from '../shared/log.ts'
import { minBytesPerSecond, stallTimeoutMs } from './timeouts.ts'

/** How long a new connection may take to send the headers of its first request. */
const firstRequestTimeoutMs = 20_000
/**
 * How long a connection may be idle after its first request. Longer than the idle timeout of proxies (Caddy: two
 * minutes), so that a proxy does not send a request on a connection that is being closed.
 */
const idleTimeoutMs = 180_000
/**
 * How many bytes a WebSocket client may send in addition to complete messages and an incomplete message of the
 * maximum size. They cover the upgrade request, frame headers, and messages that have not been processed yet.
 */
const extraWebSocketBytes = 256 * 1024

/** The last time that a client was found to be receiving its response fast enough. */
interface Progress {
  at: number
  /** How many bytes it had received on this connection by then. */
  bytes: number
}

/** How much a WebSocket has received, and how large an incomplete message may be. */
interface WebSocketState {
  /** The bytes of all complete messages. */
  readonly messageBytes: number
  /** The size limit for an incomplete message, in bytes. */
  readonly maxIncompleteBytes: number
}

interface Connection {
  /** When the connection was opened, or when a response was last being sent on it. */
  since: number
  hasSentRequest: boolean
  /** Requests in progress. A WebSocket counts as one until it is closed. */
  requests: number
  /** The requests in progress whose response has started. */
  responses: number
  /** Undefined unless a response is being sent. */
  progress: Progress | undefined
  isWebSocket: boolean
  /** Undefined unless the connection is a WebSocket for which `findSocket` returned a state. */
  socket: WebSocketState | undefined
  /** The bytes of all complete messages of a WebSocket at the last check. */
  messageBytes: number
  /** How many bytes had arrived by the last check. */
  arrivedBytes: number
  /** How many of the bytes that arrived on a WebSocket belong to no complete message. */
  incompleteBytes: number
  /** The number of the last check that found the connection open. */
  lastCheck: number
}

/** The functions of the C library that this module calls. They are the same on Linux and macOS. */
const symbols = {
  getsockname: { parameters: ['i32', 'buffer', 'buffer'], result: 'i32' },
  getpeername: { parameters: ['i32', 'buffer', 'buffer'], result: 'i32' },
  getsockopt: { parameters: ['i32', 'i32', 'i32', 'buffer', 'buffer'], result: 'i32' },
  setsockopt: { parameters: ['i32', 'i32', 'i32', 'buffer', 'u32'], result: 'i32' },
  shutdown: { parameters: ['i32', 'i32'], result: 'i32' },
} as const

type Library = Deno.DynamicLibrary<typeof symbols>['symbols']

/**
 * Closes connections on which no request arrives in time (for example because a client sends its headers byte by
 * byte), and connections whose client reads the response too slowly. Also closes WebSockets whose client sends a
 * message that is too large, because Deno keeps up to 64 MB of an incomplete message in memory. `Deno.serve` has no
 * such limits and does not expose its connections. This class therefore finds them among the open file descriptors of
 * the process and closes them with `shutdown`.
 */
export class ConnectionTimeouts {
  readonly #connections = new Map<string, Connection>()
  readonly #library: Library | null
  readonly #timer: ReturnType<typeof setInterval> | undefined
  #check = 0

  /**
   * @param port the server's port, which distinguishes its connections from the other connections of this process
   * @param findSocket returns the WebSocket that a response has opened
   * @param times the intervals, which tests shorten
   */
  constructor(
    private readonly port: number,
    private readonly log: Log,
    private readonly findSocket: (response: Response) => WebSocketState | undefined,
    private readonly times = { checkIntervalMs: 2000, stallTimeoutMs },
  ) {
    this.#library = openLibrary()
    if (!this.#library) log.warn('connection_timeouts_unavailable')
    else this.#timer = setInterval(() => this.#runCheck(), times.checkIntervalMs)
  }

  /**
   * Exempts the connection of a request from the idle timeouts until the response has been sent. Returns `response`.
   */
  track(
    { remoteAddr, completed }: Deno.ServeHandlerInfo<Deno.NetAddr>,
    response: Promise<Response>,
  ): Promise<Response> {
    if (!this.#library) return response
    const key = keyOf(remoteAddr.hostname, remoteAddr.port)
    const connection = this.#find(key)
    const isReused = connection.hasSentRequest
    connection.hasSentRequest = true
    connection.requests++
    const responseStarted = response.then(
      (started) => {
        connection.responses++
        if (started.status !== 101) return
        connection.isWebSocket = true
        connection.socket = this.findSocket(started)
        // Requests that a proxy sent earlier on this connection, such as uploads, are not part of a message.
        if (isReused) connection.arrivedBytes = this.#readArrivedBytes(key) ?? connection.arrivedBytes
      },
      () => {
        connection.responses++
      },
    )
    const onEnd = async () => {
      await responseStarted
      if (connection.isWebSocket) return
      connection.requests--
      connection.responses--
      connection.since = performance.now()
    }
    completed.then(onEnd, onEnd)
    return response
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #find(key: string, now = performance.now()): Connection {
    const found = this.#connections.get(key)
    if (found) return found
    const connection: Connection = {
      since: now,
      hasSentRequest: false,
      requests: 0,
      responses: 0,
      progress: undefined,
      isWebSocket: false,
      socket: undefined,
      messageBytes: 0,
      arrivedBytes: 0,
      incompleteBytes: 0,
      lastCheck: this.#check,
    }
    this.#connections.set(key, connection)
    return connection
  }

  /**
   * Returns whether a response is being sent, and updates the client's progress. A response may be in progress even
   * if the send buffer is empty: with HTTP/2 flow control, a client can block the response before it reaches the
   * buffer.
   */
  #isSending(state: TcpState | null, connection: Connection, now: number): boolean {
    if (!state || connection.isWebSocket || (state.isSendBufferEmpty && connection.responses === 0)) {
      connection.progress = undefined
      return false
    }
    const { receivedBytes } = state
    const { at, bytes } = connection.progress ?? { at: now, bytes: receivedBytes }
    const isFast = receivedBytes - bytes > ((now - at) / 1000) * minBytesPerSecond
    connection.progress = isFast ? { at: now, bytes: receivedBytes } : { at, bytes }
    // Deno reports a response as completed while most of it may still have to be sent.
    connection.since = now
    return true
  }

  /** Returns how many bytes have arrived on a connection, or undefined if it is not found. */
  #readArrivedBytes(key: string): number | undefined {
    const library = this.#library
    const file = library && listOpenFiles().find((each) => peerOf(library, each, this.port) === key)
    return library && file ? readTcpState(library, file)?.arrivedBytes : undefined
  }

  /** Returns whether a WebSocket client has sent too much of an incomplete message. */
  #isMessageTooLarge(state: TcpState | null, connection: Connection): boolean {
    if (!state) return false
    const { socket } = connection
    const arrived = state.arrivedBytes - connection.arrivedBytes
    connection.arrivedBytes = state.arrivedBytes
    if (!socket) return false
    const completed = socket.messageBytes - connection.messageBytes
    connection.messageBytes = socket.messageBytes
    const incomplete = Math.max(0, connection.incompleteBytes + arrived - completed)
    // Without this reset, frame headers would add up.
    connection.incompleteBytes = completed > 0 && incomplete <= extraWebSocketBytes ? 0 : incomplete
    return incomplete > socket.maxIncompleteBytes + extraWebSocketBytes
  }

  #runCheck(): void {
    const library = this.#library
    if (!library) return
    const now = performance.now()
    this.#check++
    let closed = 0
    for (const file of listOpenFiles()) {
      const key = peerOf(library, file, this.port)
      if (key === null) continue
      const connection = this.#find(key, now)
      connection.lastCheck = this.#check
      const state = readTcpState(library, file)
      if (this.#isMessageTooLarge(state, connection)) {
        this.log.debug('websocket_message_too_large')
      } else if (this.#isSending(state, connection, now)) {
        if (now - (connection.progress?.at ?? now) < this.times.stallTimeoutMs) continue
        discardUnsent(library, file)
      } else {
        const timeoutMs = connection.hasSentRequest ? idleTimeoutMs : firstRequestTimeoutMs
        if (connection.requests > 0 || now - connection.since < timeoutMs) continue
      }
      library.shutdown(file, 2)
      closed++
    }
    for (const [key, { lastCheck }] of this.#connections) {
      if (lastCheck < this.#check) this.#connections.delete(key)
    }
    if (closed > 0) this.log.debug('connections_closed', { count: closed })
  }
}

/** The state of a connection in the kernel. */
interface TcpState {
  isSendBufferEmpty: boolean
  /** How many bytes the client has received. */
  receivedBytes: number
  /** How many bytes have arrived from the client. */
  arrivedBytes: number
}

/** Returns the state of a connection on Linux, and null on other systems. */
function readTcpState(library: Library, file: number): TcpState | null {
  if (Deno.build.os !== 'linux') return null
  // The fields of `struct tcp_info` that are read here have existed since Linux 4.6.
  const bytes = new Uint8Array(256)
  const length = new Uint32Array([bytes.length])
  const [tcp, tcpInfo] = [6, 11]
  if (library.getsockopt(file, tcp, tcpInfo, bytes, length) !== 0 || (length[0] ?? 0) < 148) return null
  const view = new DataView(bytes.buffer)
  const [unacked, notSent] = [view.getUint32(24, true), view.getUint32(144, true)]
  return {
    isSendBufferEmpty: unacked === 0 && notSent === 0,
    receivedBytes: Number(view.getBigUint64(120, true)),
    arrivedBytes: Number(view.getBigUint64(128, true)),
  }
}

/**
 * Makes Linux discard a connection's unsent data when the connection is closed, instead of retransmitting the data
 * for minutes.
 */
function discardUnsent(library: Library, file: number): void {
  const [solSocket, soLinger] = [1, 13]
  library.setsockopt(file, solSocket, soLinger, new Uint32Array([1, 0]), 8)
}

function openLibrary(): Library | null {
  try {
    return Deno.dlopen(Deno.build.os === 'darwin' ? 'libSystem.dylib' : 'libc.so.6', symbols).symbols
  } catch {
    return null
  }
}

/** Returns the open file descriptors of this process. */
function listOpenFiles(): number[] {
  return [...Deno.readDirSync('/dev/fd')].map(({ name }) => Number(name))
}

/** Returns the client's key if a file descriptor is a connection to the server's port, and null otherwise. */
function peerOf(library: Library, file: number, port: number): string | null {
  const local = readAddress(library.getsockname, file)
  if (local?.port !== port) return null
  const peer = readAddress(library.getpeername, file)
  return peer && keyOf(peer.host, peer.port)
}

/** Returns the same key for every way of writing an IPv6 address. */
function keyOf(host: string, port: number): string {
  return `${host.includes(':') ? URL.parse(`http://[${host}]`)?.hostname : host} ${port}`
}

/** Calls `getsockname` or `getpeername`, and reads the resulting `sockaddr_in` or `sockaddr_in6`. */
function readAddress(call: Library['getsockname'], file: number): { host: string; port: number } | null {
  const bytes = new Uint8Array(128)
  if (call(file, bytes, new Uint32Array([bytes.length])) !== 0) return null
  const view = new DataView(bytes.buffer)
  const port = view.getUint16(2)
  switch (Deno.build.os === 'darwin' ? bytes[1] : bytes[0]) {
    case 2: // AF_INET
      return { host: bytes.subarray(4, 8).join('.'), port }
    case 10: // AF_INET6 on Linux
    case 30: // AF_INET6 on macOS
      return {
        host: Array.from({ length: 8 }, (_, i) => view.getUint16(8 + 2 * i).toString(16)).join(':'),
        port,
      }
    default:
      return null
  }
}
