import { afterAll } from 'vitest'
import { deleteCreatedUsers } from './users.ts'

// Runs for each test file, even if several files share a process.
afterAll(deleteCreatedUsers)
