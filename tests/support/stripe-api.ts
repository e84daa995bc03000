import { type Books, Refusal } from './stripe-books.ts'
import type { Session } from './stripe-objects.ts'

type Form = { [key: string]: string | Form }

/** `a[b][0]=c` as Stripe's SDK writes what it sends. */
export function parse(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split('[').map((key) => key.replace(/\]$/, ''))
    const last = keys.pop() ?? ''
    let at = form
    for (const key of keys) {
      const next = at[key]
      const deeper: Form = typeof next === 'object' ? next : {}
      at[key] = deeper
      at = deeper
    }
    at[last] = value
  }
  return form
}

export const textAt = (form: Form, ...path: string[]): string => {
  let at: string | Form | undefined = form
  for (const key of path) at = typeof at === 'object' ? at[key] : undefined
  return typeof at === 'string' ? at : ''
}

const metadataOf = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof form.metadata === 'object' ? form.metadata : {}).map(([key, value]) => [
      key,
      String(value),
    ]),
  )

function openSession(books: Books, url: string, form: Form): Session {
  const price = ['line_items', '0', 'price_data']
  return books.open(
    {
      mode: textAt(form, 'mode') === 'subscription' ? 'subscription' : 'payment',
      customer: textAt(form, 'customer'),
      amount_total: Number(textAt(form, ...price, 'unit_amount')),
      currency: textAt(form, ...price, 'currency'),
      metadata: metadataOf(form),
      success_url: textAt(form, 'success_url'),
      cancel_url: textAt(form, 'cancel_url'),
    },
    url,
  )
}

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false, url: '' })
const found = <T>(one: T | undefined): T => {
  if (!one) throw new Refusal(404, 'resource_missing', 'id')
  return one
}

/** One call of the API, as Stripe's reference describes it. */
export function answer(
  { books, url }: { books: Books; url: string },
  method: string,
  { pathname, searchParams }: URL,
  form: Form,
): unknown {
  const [, , kind, a = '', b = ''] = pathname.split('/')
  const id = kind === 'checkout' ? b : a
  switch (`${method} ${kind === 'checkout' || kind === 'billing_portal' ? `${kind}/${a}` : kind}`) {
    case 'POST customers':
      return books.addCustomer(textAt(form, 'email') || null, metadataOf(form))
    case 'DELETE customers':
      return books.removeCustomer(id)
    case 'POST checkout/sessions':
      return pathname.endsWith('/expire') ? books.expire(id) : openSession(books, url, form)
    case 'GET checkout/sessions': {
      const session = books.session(id)
      return { ...session, payment_intent: books.intents.get(session.payment_intent ?? '') ?? null }
    }
    case 'GET payment_intents':
      return found(books.intents.get(id))
    case 'GET charges':
      return found(books.charges.get(id))
    case 'GET invoices':
      return id
        ? found(books.invoices.get(id))
        : list(
            books
              .invoicesOf(searchParams.get('subscription') ?? '')
              .filter(({ status }) => status === (searchParams.get('status') ?? status)),
          )
    case 'GET invoice_payments': {
      const intent = searchParams.get('payment[payment_intent]')
      const invoice = searchParams.get('invoice') ?? books.invoiceOf.get(intent ?? '')
      const payment = {
        type: 'payment_intent',
        payment_intent: intent ?? (invoice ? books.intentOf(invoice) : ''),
      }
      return list(invoice ? [{ object: 'invoice_payment', invoice, payment }] : [])
    }
    case 'GET subscriptions':
      return books.subscription(id)
    case 'POST subscriptions':
      return books.cancelAtEnd(id, textAt(form, 'cancel_at_period_end') === 'true')
    case 'DELETE subscriptions':
      return books.end(id)
    case 'POST refunds':
      return books.refund(textAt(form, 'payment_intent'))
    case 'POST billing_portal/sessions':
      return {
        object: 'billing_portal.session',
        url: `${url}/portal/${found(books.customers.get(textAt(form, 'customer'))).id}?back=${encodeURIComponent(textAt(form, 'return_url'))}`,
      }
    default:
      throw new Refusal(404, 'unknown_path')
  }
}
