/**
 * `npm start` keeps a pipe open on standard input and says so in STACK_STARTER. When the pipe ends, the
 * starter is gone (a closed terminal, a kill), and the stack must not stay behind without it.
 *
 * @param gone called at most once
 */
export function watchStarter(gone: () => void): void {
  if (Deno.env.get('STACK_STARTER') !== 'pipe') return
  Deno.env.delete('STACK_STARTER')
  void (async () => {
    const buffer = new Uint8Array(64)
    try {
      while ((await Deno.stdin.read(buffer)) !== null) {
        // Nothing is ever sent; only the end counts.
      }
    } catch {
      // A broken pipe is an end too.
    }
    gone()
  })()
}
