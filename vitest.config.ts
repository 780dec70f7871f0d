// Unit and server tests. Kept apart from vite.config.ts so that the PWA and router plugins stay out of it.
import { defineConfig } from 'vitest/config'

/** Files that kill, stop, cut off or flood: each by itself, so that what they see is what they did. */
const ALONE = [
  'tests/faults/**/*.test.ts',
  'tests/kill.test.ts',
  'tests/attack/limits.test.ts',
  'tests/server/stop.test.ts',
]
const NEVER = ['tests/e2e/**', 'node_modules/**']

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // a mail, an event, an ended stream: a second is little on a busy machine, and whoever is quicker loses nothing
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    globalSetup: 'tests/support/shared-postgres.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: [...NEVER, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: NEVER,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
