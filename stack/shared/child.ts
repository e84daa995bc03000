/**
 * Asks a child process to end by the first signal and, after `grace` milliseconds, makes it by the second; resolves
 * when it has ended. One that ended by itself is no error.
 */
export async function endChild(
  child: Deno.ChildProcess,
  asking: Deno.Signal,
  making: Deno.Signal,
  grace: number,
): Promise<void> {
  const kill = (signal: Deno.Signal): void => {
    try {
      child.kill(signal)
    } catch {
      // It has ended by itself.
    }
  }
  kill(asking)
  const timer = setTimeout(() => kill(making), grace)
  await child.status
  clearTimeout(timer)
}
