// One PostgreSQL for all test files of a run; each test makes a database of its own in it. A file run alone starts its own.
import { findPostgres, SHARED, startPostgres } from './postgres.ts'

/** Vitest calls it once before the workers start; they inherit the address. */
export async function setup(): Promise<void> {
  if (findPostgres() !== null) process.env[SHARED] = (await startPostgres()).url('')
}
