// Unit and server tests. Kept apart from vite.config.ts so that the PWA and router plugins stay out of it.
import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that spend their time on processes of their own, killed and started again: two at a time, after the rest. */
const KILLS = [
  'tests/kill.test.ts',
  'tests/faults/power.test.ts',
  'tests/faults/stopping.test.ts',
  'tests/faults/cluster.test.ts',
  'tests/faults/migration.test.ts',
  'tests/faults/damaged.test.ts',
  'tests/faults/backup.test.ts',
  'tests/faults/deliveries.test.ts',
  'tests/faults/erasing.test.ts',
  'tests/faults/import-killed.test.ts',
  'tests/faults/starting.test.ts',
  'tests/faults/foreign-files.test.ts',
  'tests/attack/limits.test.ts',
  'tests/server/stop.test.ts',
]
/** Files that cut off, fill up or poison what their own process works with: each by itself, so that what they see is what they did. */
const ALONE = ['tests/faults/**/*.test.ts']
/**
 * A long file that begins last keeps one processor waiting for it: these begin first, and among them those that wait for the
 * minutes of a bot or a stream, beside those that work. `stop` before those that kill: only a
 * server that ends in peace leaves to the next ones what Node made of its sources.
 */
const LONGEST = [
  ...[
    'server/room-hour',
    'server/room',
    'attack/secrets',
    'attack/fuzz',
    'server/access',
    'server/access-history',
    'server/stream',
  ],
  ...['server/join', 'server/membership', 'server/quota', 'server/announce-command', 'server/refolds'],
  ...['server/bounds', 'server/sign-in-stays', 'attack/secrets-channels', 'server/entered-texts'],
  ...['server/notify-two', 'server/oauth', 'server/telegram-binding', 'server/telegram-commands'],
  ...['data/outbox/model', 'attack/regexes', 'server/stop', 'kill', 'attack/limits', 'faults/backup'],
  ...['faults/power', 'faults/stopping', 'faults/starting'],
].map((name) => `tests/${name}.test.ts`)
/** Files that start the server in their own process. Reading it in takes a second of processor; the next file finds it read. */
const SERVER = ['tests/server/**/*.test.ts', 'tests/attack/**/*.test.ts']
/**
 * Rooms whose files hand everything in: a process of its own for each took longer than their tests. A file that puts something in
 * the place of a module, a clock or a global (`vi.`) keeps its own.
 */
const PURE = globSync('tests/{contract,features,trading,ui}/**/*.test.{ts,tsx}', {
  cwd: import.meta.dirname,
}).filter((file) => !/\bvi\./.test(readFileSync(new URL(file, import.meta.url), 'utf8')))
const NEVER = ['tests/e2e/**', 'node_modules/**']

/** Two more than the processors of the smallest machine: some files wait for most of their time. */
const WORKERS = 4

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    // The one guard against what hangs, no measure of anything: no test depends on how fast a machine is, and none has a bound of
    // its own. Two whole runs at once on a slow machine took five times as long for a test as one by itself.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // a mail, an event, an ended stream: whoever is quicker loses nothing
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    globalSetup: 'tests/support/shared-postgres.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: [...NEVER, ...ALONE, ...KILLS, ...SERVER, ...PURE],
          // Each file by itself, which a thread gives for less than a process.
          pool: 'threads',
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: SERVER,
          exclude: [...NEVER, ...KILLS],
          // Each file has servers, folders and databases of its own; the modules behind them keep nothing between two servers.
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          include: KILLS,
          exclude: NEVER,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [...NEVER, ...KILLS],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
