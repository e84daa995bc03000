const mebibyte = 1024 * 1024

/**
 * Settings for one machine that also runs everything else. Durability is PostgreSQL's default and stays:
 * `fsync`, `synchronous_commit` and `full_page_writes` are on.
 */
export function serverOptions(port: number): string[] {
  const total = Deno.systemMemoryInfo().total / mebibyte
  const between = (value: number, least: number, most: number): string =>
    `${Math.round(Math.min(Math.max(value, least), most))}MB`
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    // A socket's path may be too long, and a shared folder for it is no place for a private database.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: between(total / 8, 64, 2048),
    effective_cache_size: between(total / 2, 256, 16384),
    work_mem: between(total / 512, 4, 32),
    maintenance_work_mem: between(total / 32, 64, 512),
    random_page_cost: '1.1',
    // Short queries gain nothing from compiling, and pay for it.
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    // Error messages and statements hold what people wrote: only failures of the server itself are logged.
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    cluster_name: 'ovation',
  }
  return [
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
