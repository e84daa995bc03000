/**
 * Sends a child process `signal`, and `forceSignal` if it is still running after `graceMs`. Resolves when the process
 * has exited. It is not an error if the process has already exited.
 */
export async function stopChild(
  child: Deno.ChildProcess,
  signal: Deno.Signal,
  forceSignal: Deno.Signal,
  graceMs: number,
): Promise<void> {
  killChild(child, signal)
  const timer = setTimeout(() => killChild(child, forceSignal), graceMs)
  await child.status
  clearTimeout(timer)
}

/** Sends a child process a signal, if it is still running. */
export function killChild(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal)
  } catch {
    // The process has already exited.
  }
}

/** Yields the lines of a UTF-8 stream as they arrive. The last line does not need a line break. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/**
 * Resolves when standard input ends. The parent process keeps a pipe open there, which closes when the parent exits for
 * any reason. No data is sent through the pipe.
 */
export async function waitForStdinEnd(): Promise<void> {
  const buffer = new Uint8Array(64)
  try {
    while ((await Deno.stdin.read(buffer)) !== null) {
      // Data is ignored.
    }
  } catch {
    // A broken pipe also means that the parent has exited.
  }
}
