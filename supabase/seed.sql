-- Reference data that every installation needs. Idempotent: settings and buckets that already exist keep their values.
--
-- `npm start` runs this file whenever it has changed; on Supabase, `supabase db push --include-seed` runs it (see
-- `[db.seed]` in config.toml).

-- Instance settings. Admins change most of them in the admin panel; the embedded stack sets `rate_limits`,
-- `platform_fee_percent` and `require_email_confirmation` from its environment variables. `address_salt` is for
-- the hashes of banned email addresses.
insert into private.settings (key, value) values
  ('rate_limits', 'true'),
  ('require_approval', 'false'),
  ('require_email_confirmation', 'false'),
  ('sign_in_after_registration', 'false'),
  ('creator_pro_billing', 'false'),
  ('platform_fee_percent', '10'),
  ('storage_quota_bytes', '5368709120'),
  ('address_salt', to_jsonb(gen_random_uuid())),
  ('banned_words', '[]'),
  ('auto_posting', '{"maxPostsPerDay": 200, "maxPostsPerCreator": 6, "maxCostPerDay": 5, "timeZone": "UTC",
                     "fromHour": 8, "toHour": 22, "model": "gpt-4o-mini", "inputPrice": 0.15, "outputPrice": 0.6}')
on conflict (key) do nothing;

-- Reserved usernames: paths of the site, and words that programs or readers could mistake for something else.
-- Lookalikes of these names are allowed: for example, `ali` is a real name, although it looks like `all`.
insert into private.reserved_usernames (name, lookalikes) select regexp_split_to_table(btrim($$
  about account accounts activity ads analytics api app apps archive assets audit auth auto_posting avatars billing
  blocked blog bookmarks captcha careers checkout comment comments config contact cookies covers create creator creators
  dashboard delete dev discover dmca docs download drafts earnings edit explore export faq favicon feed follow followers
  following forgot_password functions gallery goals graphql group groups guidelines hashtag hashtags health help home
  images inbox index invite jobs legal likes limits live login logout mail mailbox manifest media media_gallery message
  messages metrics mobile new news notification notifications oauth onboarding openapi page pages password payment
  payments payouts people photos post posts premium press pricing privacy product products profile profiles public
  realtime register report reports reset_password rest robots rules saved saves search session sessions settings shop
  sign_in sign_out sign_up signin signout signup sitemap static status storage store stories stream streams studio
  subscribe subscription subscriptions tags terms tip tips top topic topics trending unlock unsubscribe upload
  upload_video uploads user users verify video videos wallet webhook webhooks welcome well_known www
  all anonymous anyone bot channel everybody everyone false ghost guest here localhost me myself nan nil nobody none
  null nul self somebody someone true undefined unknown void you
$$, E' \n'), '\s+'), false
on conflict (name) do nothing;

-- Reserved usernames that suggest authority or a deleted account. Their lookalikes are reserved as well.
insert into private.reserved_usernames (name) select regexp_split_to_table(btrim($$
  abuse admin administration administrator admins billing_team ceo compliance customer_care customer_service customer_support
  founder help_center help_desk helpdesk hostmaster info mod moderation moderator moderators mods no_reply noreply
  official operator ovation owner payments_team postmaster root safety security service site_admin staff super_admin
  superuser support support_team sysadmin system team trust trust_and_safety verification verified webmaster
  deleted deleted_user
$$, E' \n'), '\s+')
on conflict (name) do update set lookalikes = true;

-- Storage buckets. No policy gives clients access. `avatars` is public and holds profile pictures and cover images; the
-- content of a file never changes. `media` holds uploads, which the API serves to users who may see them. The API
-- stores the files in both buckets, except videos that clients upload directly, using URLs signed by the API.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('avatars', 'avatars', true, 5242880, array['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
  ('media', 'media', false, 104857600,
   array['image/jpeg', 'image/png', 'image/gif', 'video/mp4', 'video/webm', 'video/quicktime', 'audio/mp4',
         'audio/webm'])
on conflict (id) do nothing;
