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
  name text primary key check (name ~ '^[a-z0-9_]{1,30}$')
);
comment on table private.reserved_usernames is
  'Usernames that nobody can register, nor anything that looks like them. Operators add theirs; accounts that bear one keep it.';
create index reserved_usernames_skeleton_idx on private.reserved_usernames (private.name_skeleton(name));

-- First the addresses of the site, then names of authority and trust, then what programs take for something else.
insert into private.reserved_usernames (name) select regexp_split_to_table(btrim($$
  about account accounts activity admin ads analytics api app apps archive assets audit auth auto_posting avatars billing
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
  abuse administration administrator admins billing_team ceo compliance customer_care customer_service customer_support
  founder help_center help_desk helpdesk hostmaster info mod moderation moderator moderators mods no_reply noreply
  official operator ovation owner payments_team postmaster root safety security service site_admin staff super_admin
  superuser support support_team sysadmin system team trust trust_and_safety verification verified webmaster
  all anonymous anyone bot channel deleted deleted_user everybody everyone false ghost guest here localhost me myself nan
  nil nobody none null nul self somebody someone true undefined unknown void you
$$, E' \n'), '\s+')
on conflict do nothing;

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
-- them strong.
create function private.is_house_name(name text) returns boolean
language sql immutable strict parallel safe set search_path = ''
as $$
  select glance ~ private.name_skeleton('^(the|a|and|of|at|your|ovation|admins?|administrators?|administration|moderators?|moderation|mods?|support|staff|team|officials?|help|helpdesk|desk|helpers?|customers?|clients?|services?|system|sysadmin|security|billing|payments?|payouts?|accounts?|trust|safety|care|cent(er|re)|app|hq|news|alerts?|notifications?|verified|verification|verify|bot|ceo|founder|owner|legal|community|managers?|inc|llc)+$')
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
  -- Marks that take no room of their own: Unicode's categories Mn and Me.
  marks constant text := '['
    '\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F'
    '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3'
    '\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1'
    '\u08E3-\u0902\u093A\u093C\u0941-\u0948\u094D\u0951-\u0957\u0962-\u0963\u0981\u09BC\u09C1-\u09C4\u09CD'
    '\u09E2-\u09E3\u09FE-\u0A02\u0A3C\u0A41-\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A82\u0ABC\u0AC1-\u0AC8\u0ACD'
    '\u0AE2-\u0AE3\u0AFA-\u0B01\u0B3C\u0B3F\u0B41-\u0B44\u0B4D-\u0B56\u0B62-\u0B63\u0B82\u0BC0\u0BCD\u0C00\u0C04'
    '\u0C3C\u0C3E-\u0C40\u0C46-\u0C56\u0C62-\u0C63\u0C81\u0CBC\u0CBF\u0CC6\u0CCC-\u0CCD\u0CE2-\u0CE3\u0D00-\u0D01'
    '\u0D3B-\u0D3C\u0D41-\u0D44\u0D4D\u0D62-\u0D63\u0D81\u0DCA\u0DD2-\u0DD6\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1'
    '\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35\u0F37\u0F39\u0F71-\u0F7E\u0F80-\u0F84\u0F86-\u0F87'
    '\u0F8D-\u0FBC\u0FC6\u102D-\u1030\u1032-\u1037\u1039-\u103A\u103D-\u103E\u1058-\u1059\u105E-\u1060'
    '\u1071-\u1074\u1082\u1085-\u1086\u108D\u109D\u135D-\u135F\u1712-\u1714\u1732-\u1733\u1752-\u1753'
    '\u1772-\u1773\u17B4-\u17B5\u17B7-\u17BD\u17C6\u17C9-\u17D3\u17DD\u180B-\u180D\u180F\u1885-\u1886\u18A9'
    '\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193B\u1A17-\u1A18\u1A1B\u1A56\u1A58-\u1A60\u1A62\u1A65-\u1A6C'
    '\u1A73-\u1A7F\u1AB0-\u1B03\u1B34\u1B36-\u1B3A\u1B3C\u1B42\u1B6B-\u1B73\u1B80-\u1B81\u1BA2-\u1BA5'
    '\u1BA8-\u1BA9\u1BAB-\u1BAD\u1BE6\u1BE8-\u1BE9\u1BED\u1BEF-\u1BF1\u1C2C-\u1C33\u1C36-\u1C37\u1CD0-\u1CD2'
    '\u1CD4-\u1CE0\u1CE2-\u1CE8\u1CED\u1CF4\u1CF8-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F'
    '\u2DE0-\u2DFF\u302A-\u302D\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806'
    '\uA80B\uA825-\uA826\uA82C\uA8C4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA951\uA980-\uA982\uA9B3'
    '\uA9B6-\uA9B9\uA9BC-\uA9BD\uA9E5\uAA29-\uAA2E\uAA31-\uAA32\uAA35-\uAA36\uAA43\uAA4C\uAA7C\uAAB0\uAAB2-\uAAB4'
    '\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEC-\uAAED\uAAF6\uABE5\uABE8\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F'
    '\U000101FD\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A0F\U00010A38-\U00010A3F\U00010AE5-\U00010AE6'
    '\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50'
    '\U00010F82-\U00010F85\U00011001\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011081'
    '\U000110B3-\U000110B6\U000110B9-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U0001112B'
    '\U0001112D-\U00011134\U00011173\U00011180-\U00011181\U000111B6-\U000111BE\U000111C9-\U000111CC\U000111CF'
    '\U0001122F-\U00011231\U00011234\U00011236-\U00011237\U0001123E\U00011241\U000112DF\U000112E3-\U000112EA'
    '\U00011300-\U00011301\U0001133B-\U0001133C\U00011340\U00011366-\U00011374\U000113BB-\U000113C0\U000113CE'
    '\U000113D0\U000113D2\U000113E1-\U000113E2\U00011438-\U0001143F\U00011442-\U00011444\U00011446\U0001145E'
    '\U000114B3-\U000114B8\U000114BA\U000114BF-\U000114C0\U000114C2-\U000114C3\U000115B2-\U000115B5'
    '\U000115BC-\U000115BD\U000115BF-\U000115C0\U000115DC-\U000115DD\U00011633-\U0001163A\U0001163D'
    '\U0001163F-\U00011640\U000116AB\U000116AD\U000116B0-\U000116B5\U000116B7\U0001171D\U0001171F'
    '\U00011722-\U00011725\U00011727-\U0001172B\U0001182F-\U00011837\U00011839-\U0001183A\U0001193B-\U0001193C'
    '\U0001193E\U00011943\U000119D4-\U000119DB\U000119E0\U00011A01-\U00011A0A\U00011A33-\U00011A38'
    '\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A56\U00011A59-\U00011A5B\U00011A8A-\U00011A96'
    '\U00011A98-\U00011A99\U00011B60\U00011B62-\U00011B64\U00011B66\U00011C30-\U00011C3D\U00011C3F'
    '\U00011C92-\U00011CA7\U00011CAA-\U00011CB0\U00011CB2-\U00011CB3\U00011CB5-\U00011CB6\U00011D31-\U00011D45'
    '\U00011D47\U00011D90-\U00011D91\U00011D95\U00011D97\U00011EF3-\U00011EF4\U00011F00-\U00011F01'
    '\U00011F36-\U00011F3A\U00011F40\U00011F42\U00011F5A\U00013440\U00013447-\U00013455\U0001611E-\U00016129'
    '\U0001612D-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F\U00016F8F-\U00016F92\U00016FE4'
    '\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF46\U0001D167-\U0001D169\U0001D17B-\U0001D182\U0001D185-\U0001D18B'
    '\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84'
    '\U0001DA9B-\U0001DAAF\U0001E000-\U0001E02A\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF'
    '\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5'
    '\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A\U000E0100-\U000E01EF'
    ']';
  -- Alphabets with letters that look like those of another one: Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee,
  -- Canadian, Runic, Glagolitic, Coptic, Tifinagh, Lisu, Old Italic and Gothic, Deseret, Osage.
  alphabets constant text[] := array[
    '[A-Za-z\u00AA\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF\u2C60-\u2C7F\uA722-\uA7FF'
    '\uAB30-\uAB6F\uFB00-\uFB06\uFF21-\uFF3A\uFF41-\uFF5A]',
    '[\u0370-\u03FF\u1F00-\u1FFF]',
    '[\u0400-\u0482\u048A-\u052F\u1C80-\u1C8F\uA640-\uA66E\uA680-\uA69D]',
    '[\u0531-\u0588\uFB13-\uFB17]', '[\u10A0-\u10FF\u1C90-\u1CBF\u2D00-\u2D2F]', '[\u13A0-\u13FF\uAB70-\uABBF]',
    '[\u1400-\u167F]', '[\u16A0-\u16FF]', '[\u2C00-\u2C5F]', '[\u2C80-\u2CFF]', '[\u2D30-\u2D7F]', '[\uA4D0-\uA4FF]',
    '[\U00010300-\U0001034F]', '[\U00010400-\U0001044F]', '[\U000104B0-\U000104FF]'];
  plain text := name collate pg_catalog.pg_c_utf8;
begin
  if plain is not nfc normalized or plain <> btrim(plain) or strpos(plain, '  ') > 0 then return false; end if;
  plain := regexp_replace(plain, '(?<=' || picture || '|[0-9#*])[\uFE0E\uFE0F]', '', 'g');
  plain := regexp_replace(plain, '(?<=' || picture || ')\u200D(?=' || picture || ')', '', 'g');
  plain := regexp_replace(plain, '(?<=' || joining || ')[\u200C\u200D](?=' || joining || ')', '', 'g');
  return plain !~ unusable
     and unicode_assigned(plain)
     and plain !~ (marks || '{4}')
     and plain collate pg_catalog.pg_c_utf8 ~ '[[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]'
     and not exists (
       select from regexp_split_to_table(plain, '[ \u2010-\u2015/,.:;()&+|\u00B7\u2022-]+') word
       where (select count(*) from unnest(alphabets) alphabet where word ~ alphabet) > 1);
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
begin
  if exists (select from private.reserved_usernames r where private.name_skeleton(r.name) = skeleton)
     or private.is_house_name(name) then
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
  if tg_op = 'UPDATE' and (new.full_name, new.first_name, new.last_name)
                          is not distinct from (old.full_name, old.first_name, old.last_name) then
    return new;
  end if;
  foreach shown in array array[
    new.full_name, new.first_name, new.last_name, nullif(concat_ws(' ', new.first_name, new.last_name), '')
  ] loop
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
