import { afterAll } from 'vitest'
import { deleteCreatedUsers } from './users.ts'

// Runs for each test file, also when several share a process.
afterAll(deleteCreatedUsers)
