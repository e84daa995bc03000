import type { StoredMail } from './mail.ts'

const style = `
:root { color-scheme: light dark; --back: #f6f5f2; --card: #fff; --ink: #1d1b20; --soft: #66616e; --line: #e3e0da }
@media (prefers-color-scheme: dark) { :root { --back: #141317; --card: #1e1c22; --ink: #f1eff4; --soft: #a7a1b0; --line: #34313a } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif }
main { max-width: 760px; margin: 0 auto; padding: 40px 16px }
h1 { margin: 0; font-size: 24px } h1 + p { margin: 4px 0 24px; color: var(--soft) }
details { margin: 0 0 12px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow: hidden }
summary { display: flex; gap: 12px; padding: 16px 20px; cursor: pointer; list-style: none; align-items: baseline }
summary::-webkit-details-marker { display: none }
summary:focus-visible { outline: 3px solid #7c5cff; outline-offset: -3px; border-radius: 16px }
summary b { flex: 1; min-width: 0; overflow-wrap: anywhere } summary span, time { color: var(--soft); font-size: 14px }
iframe { display: block; width: 100%; height: 420px; border: 0; border-top: 1px solid var(--line); background: #fff }
pre { margin: 0; padding: 16px 20px; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; color: var(--soft) }
.empty { padding: 64px 20px; text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 16px }
`

/** The Content-Security-Policy of the page and of the emails in its frames: no scripts, and only images are loaded. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const maxShown = 100

/** Renders the latest emails. Each email's HTML is shown in a sandboxed frame, in which no script runs. */
export function renderMailbox(mails: readonly StoredMail[], appName: string, sendsBySmtp: boolean): string {
  const list = mails.slice(0, maxShown).map(renderMail).join('\n')
  const total = mails.length === 1 ? '1 email' : `${mails.length} emails`
  const count = mails.length > maxShown ? `Latest ${maxShown} of ${total}` : total
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(appName)} mailbox</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(appName)} mailbox</h1>
<p>${count}. ${sendsBySmtp ? 'SMTP_URL is set: new emails are sent and no longer kept here.' : 'Emails stay here because SMTP_URL is not set.'}</p>
${list || '<div class="empty">No emails yet. Emails from the platform appear here.</div>'}
</main></body></html>`
}

function renderMail(mail: StoredMail, index: number): string {
  // Links open in a new tab, not in the frame.
  const frameHtml = `<base target="_blank">${mail.html}`
  const body = mail.html
    ? `<iframe title="${escapeHtml(mail.subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(frameHtml)}"></iframe>`
    : ''
  return `<details${index === 0 ? ' open' : ''}><summary><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.to)}</span>
<time datetime="${mail.sentAt}">${mail.sentAt.slice(0, 16).replace('T', ' ')} UTC</time></summary>
${body}<pre>${escapeHtml(mail.text)}</pre></details>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
