import { limits } from '../contract/limits.ts'
import type { SubscriptionOffer } from '../contract/payment.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/**
 * What a subscription to a creator opens at this moment: the posts that the creator marked as included, as far as the
 * caller may see that they are there.
 *
 * @throws ApiError 404 for nobody the caller may know of, 403 for somebody who cannot be subscribed to
 */
export async function readOffer(caller: Caller, creator: string): Promise<JsonText<SubscriptionOffer>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_subscribable(${creator}::text::uuid)`,
    tx<{ item: string }[]>`
      select json_build_object('price', ${limits.subscriptionPrice}::float8, 'posts', (
        -- Counted up to what is shown: somebody with more has enough of them.
        select count(*) from (
          select from public.posts p
          where p.author_id = ${creator}::text::uuid and p.included_in_subscription
          limit ${limits.includedPosts + 1}) counted))::text as item`,
  ])
  if (!row) throw new ApiError(500, 'There is no offer.')
  return row.item
}
