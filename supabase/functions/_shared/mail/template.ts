import { env } from '../env.ts'
import type { Mail } from './send-mail.ts'

/** A line of an email. If `href`, a path on this site, is set, the line is a link. */
export interface MailLine {
  text: string
  href?: string
}

/** The content of an email, independent of its layout. */
export interface MailContent {
  subject: string
  heading: string
  lines: MailLine[]
  button: MailLine & { href: string }
  /** Small print below the button. */
  notes: MailLine[]
}

/**
 * Renders an email as HTML and as plain text. The layout, including dark mode, is the same as in Auth's emails
 * (`supabase/templates`).
 */
export const renderMail = (to: string, content: MailContent): Mail => ({
  to,
  subject: content.subject,
  text: toText(content),
  html: toHtml(content),
})

const toText = ({ heading, lines, button, notes }: MailContent) =>
  [
    heading,
    ...[...lines, button, ...notes].map(({ text, href }) => (href ? `${text}\n${absoluteUrl(href)}` : text)),
  ].join('\n\n')

const absoluteUrl = (href: string) => `${env.publicUrl}${href}`
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const lineContent = ({ text, href }: MailLine, attributes: string) =>
  href ? `<a ${attributes} href="${escapeHtml(absoluteUrl(href))}">${escapeHtml(text)}</a>` : escapeHtml(text)

const paragraph = (line: MailLine) =>
  `<p class="ink" style="margin:0 0 12px;font-size:16px;line-height:1.5;color:#1d1b20">${lineContent(line, 'class="ink" style="color:#1d1b20"')}</p>`

const smallParagraph = (line: MailLine) =>
  `<p class="soft" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:#5f5b66">${lineContent(line, 'class="soft" style="color:#5f5b66"')}</p>`

const toHtml = ({ heading, lines, button, notes }: MailContent) => `<!doctype html>
<html lang="en" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
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
<p class="ink" style="margin:0 0 24px;font-size:16px;line-height:1.3;font-weight:700;color:#1d1b20">${escapeHtml(env.appName)}</p>
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:700;color:#1d1b20">${escapeHtml(heading)}</h1>
${lines.map(paragraph).join('\n')}
<p style="margin:24px 0"><a class="button" href="${escapeHtml(absoluteUrl(button.href))}" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#1d1b20;color:#ffffff;font-size:16px;line-height:1.25;font-weight:600;text-decoration:none">${escapeHtml(button.text)}</a></p>
${notes.map(smallParagraph).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
