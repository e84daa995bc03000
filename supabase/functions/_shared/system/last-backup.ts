/**
 * The file in the embedded stack's data directory that says when the last backup ended: a time in ISO 8601, or nothing if
 * backups are scheduled and there is none yet. Without a schedule and a backup, there is no file.
 */
export const lastBackupFile = 'last-backup'
