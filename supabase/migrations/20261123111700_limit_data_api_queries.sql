alter role anon set statement_timeout = '1s';
alter role authenticated set statement_timeout = '3s';
