const mebibyte = 1024 * 1024

/**
 * Returns the server's command line options, sized for a machine that also runs the rest of the stack. Durability
 * settings keep their defaults: `fsync`, `synchronous_commit` and `full_page_writes` are on.
 *
 * @param additional further settings by name
 */
export function serverOptions(port: number, additional: Record<string, string> = {}): string[] {
  const totalMb = Deno.systemMemoryInfo().total / mebibyte
  const clampMb = (value: number, min: number, max: number): string =>
    `${Math.round(Math.min(Math.max(value, min), max))}MB`
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    // No Unix socket: its path could be too long, and a shared directory such as /tmp is not private.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: clampMb(totalMb / 8, 64, 2048),
    effective_cache_size: clampMb(totalMb / 2, 256, 16384),
    work_mem: clampMb(totalMb / 512, 4, 32),
    maintenance_work_mem: clampMb(totalMb / 32, 64, 512),
    random_page_cost: '1.1',
    // Compiling short queries costs more than it saves.
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    // Error messages and statements contain user data, so only fatal errors are logged, without statements.
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    cluster_name: 'ovation',
    // The studio shows the slow statements. The extension replaces constants with placeholders, but not the passwords
    // in utility statements such as `alter role`. Therefore, utility statements are not tracked.
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_utility': 'off',
    ...additional,
  }
  return [
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
