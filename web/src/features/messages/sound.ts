let context: AudioContext | undefined

/** Browsers let a page make sounds once somebody has clicked or typed in it. */
export function canPlaySound(): boolean {
  return typeof AudioContext !== 'undefined' && (navigator.userActivation?.hasBeenActive ?? true)
}

/** Two short notes, a fifth apart; none where the browser lets no sound through. */
export async function playMessageSound(): Promise<void> {
  try {
    context ??= new AudioContext()
    await context.resume()
  } catch {
    return
  }
  const start = context.currentTime + 0.01
  note(context, 660, start)
  note(context, 990, start + 0.09)
}

function note(context: AudioContext, hertz: number, start: number): void {
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = hertz
  // Swells and fades, so that it does not click.
  loudness.gain.setValueAtTime(0, start)
  loudness.gain.linearRampToValueAtTime(0.12, start + 0.01)
  loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.16)
  tone.connect(loudness).connect(context.destination)
  tone.start(start)
  tone.stop(start + 0.18)
}
