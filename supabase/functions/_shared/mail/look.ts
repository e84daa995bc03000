import { env } from '../env.ts'
import type { Mail } from './port.ts'

/** A line of a mail; with `href`, a path of this site, it leads there. */
export interface Line {
  text: string
  href?: string
}

/** What a mail says, whatever it looks like. */
export interface Content {
  subject: string
  heading: string
  lines: Line[]
  button: Line & { href: string }
  /** Below the button, small. */
  notes: Line[]
}

/** A mail of this look: as the mails of Auth (`supabase/templates`), in dark where that is wanted, and as plain text. */
export const writeMail = (to: string, content: Content): Mail => ({
  to,
  subject: content.subject,
  text: asText(content),
  html: asPage(content),
})

const asText = ({ heading, lines, button, notes }: Content) =>
  [
    heading,
    ...[...lines, button, ...notes].map(({ text, href }) => (href ? `${text}\n${address(href)}` : text)),
  ].join('\n\n')

const address = (href: string) => `${env.publicUrl}${href}`
const inHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const linked = ({ text, href }: Line, look: string) =>
  href ? `<a ${look} href="${inHtml(address(href))}">${inHtml(text)}</a>` : inHtml(text)

const line = (one: Line) =>
  `<p class="ink" style="margin:0 0 12px;font-size:16px;line-height:1.5;color:#1d1b20">${linked(one, 'class="ink" style="color:#1d1b20"')}</p>`

const note = (one: Line) =>
  `<p class="soft" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:#5f5b66">${linked(one, 'class="soft" style="color:#5f5b66"')}</p>`

const asPage = ({ heading, lines, button, notes }: Content) => `<!doctype html>
<html lang="en" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${inHtml(heading)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .back { background: #141317 !important; color: #f1eff4 !important }
  .card { background: #1e1c22 !important; border-color: #34313a !important }
  .ink { color: #f1eff4 !important }
  .soft { color: #b3adbb !important }
  .button { background: #f1eff4 !important; color: #1d1b20 !important }
}
</style>
</head>
<body class="back" style="margin:0;padding:0;background:#f6f5f2;color:#1d1b20">
<table role="presentation" class="back" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f5f2;font-family:Inter,Helvetica,Arial,sans-serif">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #e3e0da;border-radius:16px">
<tr><td style="padding:32px;overflow-wrap:anywhere">
<p class="ink" style="margin:0 0 24px;font-size:16px;line-height:1.3;font-weight:700;color:#1d1b20">${inHtml(env.appName)}</p>
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:700;color:#1d1b20">${inHtml(heading)}</h1>
${lines.map(line).join('\n')}
<p style="margin:24px 0"><a class="button" href="${inHtml(address(button.href))}" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#1d1b20;color:#ffffff;font-size:16px;line-height:1.25;font-weight:600;text-decoration:none">${inHtml(button.text)}</a></p>
${notes.map(note).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
