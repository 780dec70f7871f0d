// The tests' password stored so that trying it takes next to no work: how much it takes stands in the stored text.
import { hash } from '@node-rs/argon2'
import type { App } from '#server/context.ts'
import { PASSWORD } from './people.ts'

/** For thousands of calls that try passwords and prove something else; what the product asks is held by tests/server/passwords.test.ts. */
export async function easePasswords({ db }: Pick<App, 'db'>): Promise<void> {
  const password_hash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await db.updateTable('users').set({ password_hash }).where('password_hash', 'is not', null).execute()
}
