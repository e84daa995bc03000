-- Who may be called what: usernames that are not given away, and names that can be shown. Decided here; the API asks
-- beforehand, so that a form can say it.

-- Signs that look alike become one, so that names which people would confuse have one skeleton. Usernames are ASCII.
create function private.name_skeleton(name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select translate(replace(replace(replace(lower(name collate pg_catalog.pg_c_utf8), '_', ''), 'rn', 'm'), 'vv', 'w'),
                   '0123456789l', 'oizeas6tbgi')
$$;

-- Reserved usernames ------------------------------------------------------------------------------------------

create table private.reserved_usernames (
  name text primary key check (name ~ '^[a-z0-9_]{1,30}$'),
  lookalikes boolean not null default true
);
comment on table private.reserved_usernames is
  'Usernames that nobody can register, nor, with lookalikes, anything that looks like them. Operators add theirs; accounts that bear one keep it.';
create index reserved_usernames_plain_idx on private.reserved_usernames (replace(name, '_', ''));
create index reserved_usernames_skeleton_idx on private.reserved_usernames (private.name_skeleton(name)) where lookalikes;

-- The addresses of the site, and what programs take for something else. Nobody is fooled by what looks like these:
-- `ali` is a name, and no `all`.
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
on conflict do nothing;

-- Names of authority and trust.
insert into private.reserved_usernames (name) select regexp_split_to_table(btrim($$
  abuse admin administration administrator admins billing_team ceo compliance customer_care customer_service customer_support
  founder help_center help_desk helpdesk hostmaster info mod moderation moderator moderators mods no_reply noreply
  official operator ovation owner payments_team postmaster root safety security service site_admin staff super_admin
  superuser support support_team sysadmin system team trust trust_and_safety verification verified webmaster
  deleted deleted_user
$$, E' \n'), '\s+')
on conflict (name) do update set lookalikes = true;

-- Names that can be shown -------------------------------------------------------------------------------------

-- What a name looks like at first sight: without accents, width and decoration, in Latin letters where others look
-- the same, letters and digits only.
create function private.name_at_a_glance(name text) returns text
language sql immutable strict parallel safe set search_path = ''
as $$
  select private.name_skeleton(regexp_replace(
    translate(
      lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036F]', '', 'g') collate pg_catalog.pg_c_utf8),
      'авекмнорстухѕіјһӏԁԛԝѵпıłøđɑɡᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ',
      'abekmhopctyxsijhldqwvnilodagabcdefghijklmnoprstuvwyz'),
    '[^[:alnum:]]', '', 'g'))
$$;

-- The name poses as the house or as somebody with authority in it: made of nothing but such words, at least one of
-- them strong; or it bears a tick, as only badges do.
create function private.is_house_name(name text) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select name ~ '[\u2611\u2705\u2713\u2714\U0001F5F8\U0001F5F9]' or
         glance ~ private.name_skeleton('^(the|real|original|only|a|and|of|at|your|ovation|admins?|administrators?|administration|moderators?|moderation|mods?|support|staff|team|officials?|help|helpdesk|desk|helpers?|customers?|clients?|services?|system|sysadmin|security|billing|payments?|payouts?|accounts?|trust|safety|care|cent(er|re)|app|hq|news|alerts?|notifications?|verified|verification|verify|bot|ceo|founder|owner|legal|community|managers?|inc|llc)+$')
     and glance ~ private.name_skeleton('(ovation|admin|moderator|support|staff|official|system|helpdesk|helpcent|customerservice|customercare)')
  from (select private.name_at_a_glance(name) as glance) g
$$;

-- The name is text that everybody sees as it is meant: composed, tidily spaced, with a letter or digit, without signs
-- that are invisible, steer the text around them, pile up, or mix look-alike alphabets in one word. The API's schema
-- `personName` says the same.
create function private.is_presentable_name(name text) returns boolean
language plpgsql immutable strict parallel safe set search_path = ''
as $$
declare
  -- Signs that may stand on both sides of a joiner: of the scripts that join, and pictures.
  joining constant text := '[\u0600-\u109F\u1780-\u18AF\u1A20-\u1BFF\uA840-\uABFF\uFB50-\uFDFF\uFE70-\uFEFC]';
  picture constant text := '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2190-\u21FF\u2300-\u23FF\u24C2\u25AA-\u25FE'
    '\u2600-\u27BF\u2934\u2935\u2B00-\u2BFF\u3030\u303D\u3297\u3299\U0001F000-\U0001FAFF]';
  -- Controls, formats, separators of lines, private use, whatever Unicode calls ignorable, and blanks in disguise.
  unusable constant text := '[\u0001-\u001F\u007F-\u00A0\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891'
    '\u08E2\u115F-\u1160\u1680\u17B4-\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164'
    '\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFD\U000110BD\U000110CD\U00013430-\U0001343F'
    '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U0010FFFD]';
  -- Marks that are put on letters to pile up; no script needs four of these in a row.
  piles constant text := '[\u0300-\u036F\u0483-\u0489\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0E31-\u0E4E\u0EB1-\u0ECE'
    '\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F]{4}';
  -- Letters that look like those of another alphabet: Latin, Greek, and the others of which that can be said (Cyrillic,
  -- Armenian, Georgian, Cherokee, Canadian, Runic, Glagolitic, Coptic, Tifinagh, Lisu and some ancient ones).
  latin constant text := '[A-Za-z\u00AA\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF'
    '\u2C60-\u2C7F\uA722-\uA7FF\uAB30-\uAB6F\uFB00-\uFB06\uFF21-\uFF3A\uFF41-\uFF5A]';
  greek constant text := '[\u0370-\u03FF\u1F00-\u1FFF]';
  other constant text := '[\u0400-\u0482\u048A-\u0588\u10A0-\u10FF\u13A0-\u167F\u16A0-\u16FF\u1C80-\u1CBF\u2C00-\u2C5F'
    '\u2C80-\u2D7F\uA4D0-\uA4FF\uA640-\uA69D\uAB70-\uABBF\uFB13-\uFB17\U00010300-\U0001034F\U00010400-\U000104FF]';
  plain text := name collate pg_catalog.pg_c_utf8;
begin
  if plain is not nfc normalized or plain <> btrim(plain) or strpos(plain, '  ') > 0 then return false; end if;
  plain := regexp_replace(plain, '(?<=' || picture || '|[0-9#*])[\uFE0E\uFE0F]', '', 'g');
  plain := regexp_replace(plain, '(?<=' || picture || ')\u200D(?=' || picture || ')', '', 'g');
  plain := regexp_replace(plain, '(?<=' || joining || ')[\u200C\u200D](?=' || joining || ')', '', 'g');
  return plain !~ unusable
     and unicode_assigned(plain)
     and plain !~ piles
     and plain collate pg_catalog.pg_c_utf8 ~ '[[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]'
     and not exists (
       select from regexp_split_to_table(plain, '[ \u2010-\u2015/,.:;()&+|\u00B7\u2022-]+') word
       where (word ~ latin)::integer + (word ~ greek)::integer + (word ~ other)::integer > 1);
end
$$;

-- The rules ---------------------------------------------------------------------------------------------------

-- Only creators and the house's own people are worth being mistaken for; asked at every registration.
create index profiles_lookalikes_idx on public.profiles (private.name_skeleton(username)) where is_creator or is_admin;

-- Why `name` cannot be the username of `owner` (null for somebody new): 'reserved', 'taken', or null when it can.
-- Looking like a name is only refused where its bearer is somebody to impersonate: others share skeletons innocently.
create function private.username_problem(name text, owner uuid default null) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  skeleton text := private.name_skeleton(name);
  -- `admin1` and `support24` claim as much as the word alone.
  word text := regexp_replace(name, '[0-9_]+$', '');
begin
  if exists (select from private.reserved_usernames r
             where r.lookalikes and private.name_skeleton(r.name) in (skeleton, private.name_skeleton(word)))
     or exists (select from private.reserved_usernames r where replace(r.name, '_', '') = replace(lower(username_problem.name), '_', ''))
     or private.is_house_name(name) or private.is_house_name(word) then
    return 'reserved';
  end if;
  if exists (select from public.profiles p where lower(p.username) = lower(name) and p.id is distinct from owner)
     or exists (select from public.profiles p where private.name_skeleton(p.username) = skeleton
                  and (p.is_creator or p.is_admin) and p.id is distinct from owner) then
    return 'taken';
  end if;
  return null;
end
$$;

-- Holds whichever way a name comes in. Two who ask for one name at once meet at its unique index. Two who ask for
-- names that look alike may both have them, as neither is a creator yet: there is nothing to lock.
-- A trigger and not a check: rows from before keep their names, and can still be changed in everything else.
create function private.check_names() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  renamed boolean := tg_op = 'INSERT' or lower(new.username) is distinct from lower(old.username);
  problem text := case when renamed then private.username_problem(new.username, new.id) end;
  shown text;
begin
  -- Admins are made by the operator alone: they may speak for the house, under its names.
  if problem = 'reserved' and not new.is_admin then
    raise exception 'This username is reserved' using errcode = 'PT400', detail = 'username_reserved';
  elsif problem = 'taken' then
    raise exception 'Username is already taken' using errcode = 'PT409', detail = 'username_taken';
  end if;
  foreach shown in array array[
    new.full_name, new.first_name, new.last_name, nullif(concat_ws(' ', new.first_name, new.last_name), '')
  ] loop
    -- What an old row is called already, it may go on to be called.
    continue when tg_op = 'UPDATE' and shown in (
      old.full_name, old.first_name, old.last_name, concat_ws(' ', old.first_name, old.last_name));
    if not private.is_presentable_name(shown) then
      raise exception 'This name contains characters that cannot be used'
        using errcode = 'PT400', detail = 'validation_failed';
    elsif private.is_house_name(shown) and not new.is_admin then
      raise exception 'This name is reserved' using errcode = 'PT400', detail = 'validation_failed';
    end if;
  end loop;
  return new;
end
$$;
create trigger check_names before insert or update of username, full_name, first_name, last_name on public.profiles
  for each row execute function private.check_names();

revoke execute on all functions in schema private from public;
-- The index of look-alikes is kept by whoever updates a row: the people themselves, when they change their privacy.
grant execute on function private.name_skeleton(text) to authenticated, service_role;
-- For the API, before it asks Auth for an account.
grant execute on function private.username_problem(text, uuid), private.is_presentable_name(text),
  private.name_at_a_glance(text), private.is_house_name(text) to service_role;
