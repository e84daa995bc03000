grant execute on function private.platform_fee_percent() to anon;
