// What a chart has drawn under something else: a word on a line is read by nobody.
import type { Locator, Page } from '@playwright/test'

/** How many points of these canvases under an element are not the card's own colour. */
export async function inkUnder(page: Page, label: Locator, canvases: string): Promise<number> {
  const box = await label.boundingBox()
  if (!box) throw new Error('not on the screen')
  const { x, y, width, height } = box
  return page.evaluate(
    ({ left, top, right, bottom, canvases }) => {
      let ink = 0
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>(canvases)) {
        const own = canvas.getBoundingClientRect()
        const [scale_x, scale_y] = [canvas.width / own.width, canvas.height / own.height]
        const [from_x, to_x] = [Math.max(left, own.left), Math.min(right, own.right)]
        const [from_y, to_y] = [Math.max(top, own.top), Math.min(bottom, own.bottom)]
        const [wide, high] = [Math.floor((to_x - from_x) * scale_x), Math.floor((to_y - from_y) * scale_y)]
        if (wide < 1 || high < 1) continue
        const pen = canvas.getContext('2d')
        const seen = pen?.getImageData(
          (from_x - own.left) * scale_x,
          (from_y - own.top) * scale_y,
          wide,
          high,
        ).data
        const card = getComputedStyle(canvas.closest('.card') as Element).backgroundColor.match(/\d+/g) ?? []
        for (let at = 0; seen && at < seen.length; at += 4)
          // the upper of two canvases is clear where nothing is drawn
          if (
            seen[at + 3] &&
            card.slice(0, 3).some((part, i) => Math.abs((seen[at + i] ?? 0) - Number(part)) > 2)
          )
            ink++
      }
      return ink
    },
    { left: x, top: y, right: x + width, bottom: y + height, canvases },
  )
}
