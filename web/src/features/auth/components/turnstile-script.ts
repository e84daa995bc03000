const source = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
/** The name by which the widget's component looks for the script. */
const id = 'cf-turnstile-script'

let loading: Promise<void> | null = null

/**
 * Brings Turnstile's script into the page, once. A script that did not come (no connection, a blocker) is taken out
 * again, so that the next call tries anew.
 */
export function loadTurnstile(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.id = id
    script.src = source
    script.async = true
    script.onload = () => {
      if (window.turnstile) resolve()
      else fail()
    }
    const fail = () => {
      script.remove()
      reject(new Error('The script of Turnstile did not load.'))
    }
    script.onerror = fail
    document.head.append(script)
  })
}
