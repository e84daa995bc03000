import type { Session, Subscription } from './stripe-objects.ts'

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`

const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const button = (action: string, label: string, hidden = '') =>
  `<form method="post" action="${safe(action)}">${hidden}<button>${label}</button></form>`

/** Where somebody pays, or does not. */
export const payPage = ({ id, amount_total, mode }: Session) =>
  html(
    'Local checkout',
    `<p>$${(amount_total / 100).toFixed(2)}${mode === 'subscription' ? ' a month' : ''}</p>
     ${button(`/pay/${id}/pay`, 'Pay')}${button(`/pay/${id}/cancel`, 'Cancel')}`,
  )

export const closedPage = html('Local checkout', '<p>This page is closed.</p>')

/** Where somebody ends what they pay by the month. */
export const portalPage = (held: Subscription[], back: string) =>
  html(
    'Local billing',
    `${held
      .map(({ id, status, cancel_at_period_end }) =>
        cancel_at_period_end || status === 'canceled'
          ? `<p>${id} ends</p>`
          : button('', 'Cancel', `<input type="hidden" name="subscription" value="${id}">`),
      )
      .join('')}<a href="${safe(back)}">Back</a>`,
  )
