/**
 * The file in the embedded stack's data directory with the time when the last backup ended, in ISO 8601. It is empty if
 * backups are scheduled but none has ended yet. Without a schedule or a backup, there is no file.
 */
export const lastBackupFile = 'last-backup'
