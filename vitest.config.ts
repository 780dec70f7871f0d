// Unit and server tests. Kept apart from vite.config.ts so that the PWA and router plugins stay out of it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One file at a time: the fault tests give a port back and take it again, and a neighbour's server could sit there in between.
    fileParallelism: false,
  },
})
