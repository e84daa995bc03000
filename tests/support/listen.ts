import type { AddressInfo, Server, Socket } from 'node:net'

/** A server on the loopback interface. */
export interface LocalServer {
  port: number
  url: string
  /** Closes the server and its connections. */
  stop(): Promise<void>
}

/** Starts a server on a port of the loopback interface, by default a free one. */
export async function listen(server: Server, requestedPort = 0): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(requestedPort, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
