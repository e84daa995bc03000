import { join } from 'node:path'

/** Returns the version of Ovation in package.json. */
export async function readVersion(root: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(join(root, 'package.json'))).version
}

/** Returns whether version `a` is newer than version `b`. Versions have the form 1.2.3. */
export function isNewerVersion(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const index = left?.findIndex((part, position) => part !== right?.[position]) ?? -1
  return index >= 0 && (left?.[index] ?? 0) > (right?.[index] ?? 0)
}
