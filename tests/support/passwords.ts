// Passwords at next to no work, for servers in a test's own process: how much it takes to try one stands in the stored text.
// What the product asks is held by tests/server/passwords.test.ts; every spawned server asks it, too.
import { openPasswords } from '#server/session/passwords.ts'

export const QUICK_PASSWORDS = openPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
