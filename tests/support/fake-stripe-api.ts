import { StripeError, type StripeState } from './fake-stripe-state.ts'
import type { CheckoutSession } from './fake-stripe-types.ts'

type Form = { [key: string]: string | Form }

/** Parses a form body with nested keys such as `a[b][0]=c`, as Stripe's SDK sends it. */
export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split('[').map((key) => key.replace(/\]$/, ''))
    const last = keys.pop() ?? ''
    let parent = form
    for (const key of keys) {
      const child = parent[key]
      const nested: Form = typeof child === 'object' ? child : {}
      parent[key] = nested
      parent = nested
    }
    parent[last] = value
  }
  return form
}

/** Returns the string at a path of the form, or '' if there is none. */
export const textAt = (form: Form, ...path: string[]): string => {
  let value: string | Form | undefined = form
  for (const key of path) value = typeof value === 'object' ? value[key] : undefined
  return typeof value === 'string' ? value : ''
}

const metadataOf = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof form.metadata === 'object' ? form.metadata : {}).map(([key, value]) => [
      key,
      String(value),
    ]),
  )

function openSession(state: StripeState, url: string, form: Form): CheckoutSession {
  const price = ['line_items', '0', 'price_data']
  return state.openCheckout(
    {
      mode: textAt(form, 'mode') === 'subscription' ? 'subscription' : 'payment',
      customer: textAt(form, 'customer'),
      amount_total: Number(textAt(form, ...price, 'unit_amount')),
      currency: textAt(form, ...price, 'currency'),
      interval_count: Number(textAt(form, ...price, 'recurring', 'interval_count')),
      metadata: metadataOf(form),
      success_url: textAt(form, 'success_url'),
      cancel_url: textAt(form, 'cancel_url'),
    },
    url,
  )
}

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false, url: '' })
const requireFound = <T>(object: T | undefined): T => {
  if (!object) throw new StripeError(404, 'resource_missing', 'id')
  return object
}

/** Handles an API request as Stripe's reference describes, and returns the response body. @throws StripeError */
export function handleApiCall(
  { state, url }: { state: StripeState; url: string },
  method: string,
  { pathname, searchParams }: URL,
  form: Form,
): unknown {
  const [, , resource, second = '', third = ''] = pathname.split('/')
  const id = resource === 'checkout' ? third : second
  switch (
    `${method} ${resource === 'checkout' || resource === 'billing_portal' ? `${resource}/${second}` : resource}`
  ) {
    case 'POST customers':
      return state.addCustomer(textAt(form, 'email') || null, metadataOf(form))
    case 'DELETE customers':
      return state.removeCustomer(id)
    case 'POST checkout/sessions':
      return pathname.endsWith('/expire') ? state.expireCheckout(id) : openSession(state, url, form)
    case 'GET checkout/sessions': {
      const session = state.session(id)
      return { ...session, payment_intent: state.paymentIntents.get(session.payment_intent ?? '') ?? null }
    }
    case 'GET payment_intents':
      return requireFound(state.paymentIntents.get(id))
    case 'GET charges':
      return requireFound(state.charges.get(id))
    case 'GET invoices':
      return id
        ? requireFound(state.invoices.get(id))
        : list(
            state
              .invoicesOf(searchParams.get('subscription') ?? '')
              .filter(({ status }) => status === (searchParams.get('status') ?? status)),
          )
    case 'GET invoice_payments': {
      const intent = searchParams.get('payment[payment_intent]')
      const invoice = searchParams.get('invoice') ?? state.invoiceByPaymentIntent.get(intent ?? '')
      const payment = {
        type: 'payment_intent',
        payment_intent: intent ?? (invoice ? state.paymentIntentOf(invoice) : ''),
      }
      return list(invoice ? [{ object: 'invoice_payment', invoice, payment }] : [])
    }
    case 'GET subscriptions':
      return state.subscription(id)
    case 'POST subscriptions':
      return state.setCancelAtPeriodEnd(id, textAt(form, 'cancel_at_period_end') === 'true')
    case 'DELETE subscriptions':
      return state.cancelNow(id)
    case 'POST refunds':
      return state.refund(textAt(form, 'payment_intent'))
    case 'POST billing_portal/sessions':
      return {
        object: 'billing_portal.session',
        url: `${url}/portal/${requireFound(state.customers.get(textAt(form, 'customer'))).id}?back=${encodeURIComponent(textAt(form, 'return_url'))}`,
      }
    default:
      throw new StripeError(404, 'unknown_path')
  }
}
