// WCAG 2.2's target size as it is met: by scrolling. What a bar happens to lie over is looked at again in the middle of the screen.
import type { Page } from '@playwright/test'
import { axeOn } from './axe-once.ts'

/** Turns the rule on, which axe leaves off. */
export const TARGET_SIZE = { 'target-size': { enabled: true } }

type Found = { id: string; nodes: { target: unknown[] }[] }

/** The same findings without the targets that are large enough, and far enough from others, where nothing covers them. */
export async function withoutCovered<F extends Found>(page: Page, violations: F[]): Promise<F[]> {
  const kept: F[] = []
  for (const violation of violations) {
    if (violation.id !== 'target-size') kept.push(violation)
    else {
      const nodes = []
      for (const node of violation.nodes) if (await isCramped(page, node.target.join(' '))) nodes.push(node)
      if (nodes.length > 0) kept.push({ ...violation, nodes })
    }
  }
  return kept
}

async function isCramped(page: Page, selector: string): Promise<boolean> {
  const target = page.locator(selector).first()
  const at = await page.evaluate(() => scrollY)
  await target.evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { violations } = await (await axeOn(page))
    .include(selector)
    .options({ runOnly: ['target-size'] })
    .analyze()
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), at)
  return violations.length > 0
}
