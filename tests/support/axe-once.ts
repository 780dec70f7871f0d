// axe in a page, brought there once: on its own it comes twice for every look, 1.5 MB each time.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const builder = createRequire(import.meta.url).resolve('@axe-core/playwright')
const source = readFileSync(createRequire(builder).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The builder of one look at the page as it is; a new document gets axe anew. Legacy mode: nothing here has frames, and one
 * run in the page itself finds the same as a run per frame put together in a page of its own.
 */
export async function axeOn(page: Page): Promise<AxeBuilder> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return new AxeBuilder({ page, axeSource: ';' }).setLegacyMode()
}
