// Unit and server tests. Kept apart from vite.config.ts so that the PWA and router plugins stay out of it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Two files at a time also on two cores: many tests wait for processes and disks, not for the processor.
    maxWorkers: 2,
  },
})
