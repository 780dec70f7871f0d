// Browser tests on the production build: one phone, one desktop; each file starts its own server (tests/support).
import { defineConfig } from '@playwright/test'
import { findBrowser, LAUNCH_ARGS } from './tests/support/browser.ts'

/**
 * What no width can change is proved once: who may enter and who sees what (routes, identity), what stays on a device
 * (shared-device, revocation), where an identity ends, the words of a refusal. A single test of that kind in another
 * file (what is counted, sent, kept or said) is tagged @phone or @desktop. Every screen, what
 * stands still, lies over another or scrolls, and the first story are looked at on both.
 */
const ONCE = {
  phone: ['**/routes.spec.ts', '**/identity.spec.ts'],
  desktop: [
    '**/budget.spec.ts', // reads files
    '**/spec.spec.ts', // sets the width itself
    '**/spec-fallbacks.spec.ts',
    '**/spec-words.spec.ts', // a mouse points, and the bar has room for its links
    '**/spec-refusals.spec.ts',
    '**/context-switched.spec.ts',
    '**/identity-ends.spec.ts',
    '**/revocation.spec.ts',
    '**/shared-device.spec.ts',
  ],
}
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
    serviceWorkers: 'allow',
    // a third of the work; tests/run.ts runs what failed once more with it
    trace: 'off',
    actionTimeout: 30_000,
    launchOptions: { args: LAUNCH_ARGS, ...(executable && { executablePath: executable }) },
  },
  projects: [
    {
      name: 'phone',
      testIgnore: ONCE.desktop,
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      testIgnore: ONCE.phone,
      grepInvert: /@phone/,
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
})
