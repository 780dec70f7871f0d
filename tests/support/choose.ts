// Choosing from a long list of the product: the platform's select on a phone, a list to search under a mouse.
import { expect, type Page } from '@playwright/test'

/** Chooses what `word` finds alone, by the words that are seen. */
export async function choose(page: Page, field: string, word: string): Promise<void> {
  const box = page.getByRole('combobox', { name: field })
  if ((page.viewportSize()?.width ?? 0) < 768) {
    const label = await box.locator('option', { hasText: word }).textContent()
    await box.selectOption({ label: label ?? '' })
    return
  }
  // until its code has come the platform's select stands there, too
  await expect(box).toHaveAttribute('aria-haspopup', 'listbox')
  await box.fill(word)
  await page.getByRole('listbox').getByRole('option', { name: word }).click()
  await expect(box).toHaveValue(new RegExp(word))
  await expect(page.getByRole('listbox')).toBeHidden()
}
