/**
 * The file in the embedded stack's data directory with the time when the last backup ended, in ISO 8601. It is empty if
 * backups are scheduled but none has ended yet. If no backup is scheduled and none was ever made, the file does not
 * exist.
 */
export const lastBackupFile = 'last-backup'
