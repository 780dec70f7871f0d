// Browser tests on the production build: one phone, one desktop; each file starts its own server (tests/support).
import { defineConfig } from '@playwright/test'
import { findBrowser, LAUNCH_ARGS } from './tests/support/browser.ts'

const executable = findBrowser()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
    serviceWorkers: 'allow',
    trace: 'retain-on-failure',
    actionTimeout: 15_000,
    launchOptions: { args: LAUNCH_ARGS, ...(executable && { executablePath: executable }) },
  },
  projects: [
    {
      name: 'phone',
      // the files are the same for every screen
      testIgnore: '**/budget.spec.ts',
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
})
