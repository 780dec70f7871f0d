// Browser tests on the production build: one phone, one desktop; each file starts its own server (tests/support).
import { defineConfig } from '@playwright/test'
import { findBrowser, LAUNCH_ARGS } from './tests/support/browser.ts'
import { SOAK } from './tests/support/tier.ts'

/** Files that no width can change as a whole: proved once, in both tiers. A single test of that kind is tagged @phone or @desktop. */
const ONCE = {
  phone: ['routes', 'identity'],
  desktop: [
    'budget', // reads files
    'spec', // sets the width itself
    'spec-fallbacks',
    'spec-words', // a mouse points, and the bar has room for its links
    'spec-refusals',
    'context-switched',
    'identity-ends',
    'revocation',
    'shared-device',
  ],
}
/**
 * The soak looks at every other test on both widths, `npm test` on one: on the desktop where it stands in one of these files, else
 * on the phone. What promises something else on each width is tagged @both, what only the soak tries (looks in detail, long lists, a second
 * way to the same promise) @soak.
 */
const MOSTLY_DESKTOP = ['charts', 'filters', 'group-matrix', 'organization', 'rules', 'stocks']

const files = (names: string[]) => names.map((name) => `**/${name}.spec.ts`)
const UNTAGGED = '^(?!.*@(phone|desktop|both))'
const IN_DESKTOP = `\\b(${[...ONCE.desktop, ...MOSTLY_DESKTOP].join('|')})\\.spec\\.ts`
const executable = findBrowser()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  // What runs under Node without a transpiler needs none here: on a fresh clone it took nine seconds before the first test began.
  build: { external: ['**/{contract,trading,server}/**/*.ts', '**/src/**/*.ts'] },
  // one more than the cores of the smallest machine: tests also wait, for toasts, retries and clocks
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // guards against what hangs, no measure of anything: what is there sooner costs nothing
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
    // a third of the work; tests/run.ts runs what failed once more with it
    trace: 'off',
    actionTimeout: 30_000,
    launchOptions: { args: LAUNCH_ARGS, ...(executable && { executablePath: executable }) },
  },
  projects: [
    {
      name: 'phone',
      testIgnore: files(ONCE.desktop),
      grepInvert: SOAK ? /@desktop/ : new RegExp(`@soak|@desktop|${UNTAGGED}.*${IN_DESKTOP}`),
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      testIgnore: files(ONCE.phone),
      grepInvert: SOAK ? /@phone/ : new RegExp(`@soak|@phone|${UNTAGGED}(?!.*${IN_DESKTOP})`),
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
})
