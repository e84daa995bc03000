set local check_function_bodies = off;

DROP FUNCTION "private"."search_accounts"(text, text, timestamp with time zone, uuid, integer, integer);

CREATE OR REPLACE FUNCTION private.search_accounts(search_term text, account_filter text, sort_order text, after_key text, after_user_id uuid, skip_rows integer, max_rows integer)
 RETURNS TABLE(user_id uuid, sort_key text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
declare
  is_by_name constant boolean := sort_order in ('name', 'name_desc');
  is_ascending constant boolean := sort_order in ('oldest', 'name');
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  -- The sort columns of profiles_search_name_idx or of the indexes of account_search.
  sort_column constant text := case when is_by_name then 'p.search_name collate "C"' else 't.created_at' end;
  id_column constant text := case when is_by_name then 'p.id' else 't.user_id' end;
begin
  perform private.require_admin();
  -- Dynamic SQL, so that the planner sees which conditions apply and can choose the matching index.
  return query execute 'select t.user_id, '
    || case when is_by_name then 'p.search_name' else 'private.timestamp_text(t.created_at)' end
    || ' from private.account_search t'
    || case when is_by_name then ' join public.profiles p on p.id = t.user_id' else '' end
    || ' where ' || private.account_search_condition(search_term, account_filter)
    || case when after_user_id is null then '' else
         format(' and (%s, %s) %s (%s, $3)', sort_column, id_column, case when is_ascending then '>' else '<' end,
                case when is_by_name then '$2' else '$2::timestamptz' end) end
    || format(' order by %s %s, %s %2$s offset $4 limit $5', sort_column, direction, id_column)
    using private.account_search_pattern(search_term), after_key, after_user_id, skip_rows, max_rows;
end
$function$;

REVOKE ALL ON FUNCTION "private"."search_accounts"(text, text, text, text, uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_accounts"(text, text, text, text, uuid, integer, integer) TO "authenticated", "postgres";
