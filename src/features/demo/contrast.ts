// Every colour of src/ui/tokens.css, which stands on which, and how well that must be readable: what the colour page measures and its test computes.

/** Relative luminance of sRGB 0–255 (WCAG 2.2). */
function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours, 1–21. */
export function contrast(one: readonly number[], other: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const SURFACES = ['ground', 'card', 'raised', 'sunken', 'fill', 'highlight']
const TEXTS = ['ink', 'ink-2', 'ink-3', 'brand', 'red', 'green', 'flat']
const ON_PLAIN = ['warn', 'danger', 'good']
const PLAIN = ['ground', 'card', 'raised', 'sunken', 'fill']
const LINES = ['edge', 'chart-line']

/** Front, ground, least contrast. */
export type Pair = [front: string, back: string, least: number]

export const PAIRS: readonly Pair[] = [
  ...TEXTS.flatMap((text) => SURFACES.map((on): Pair => [text, on, 4.5])),
  ...ON_PLAIN.flatMap((text) => PLAIN.map((on): Pair => [text, on, 4.5])),
  ...ON_PLAIN.map((text): Pair => [text, `${text}-soft`, 4.5]),
  ...LINES.flatMap((line) => PLAIN.map((on): Pair => [line, on, 3])),
  ...['brand-fill', 'brand-hover'].map((on): Pair => ['on-brand', on, 4.5]),
  ...['red', 'green', 'flat'].map((on): Pair => ['on-seal', on, 4.5]),
  ...['red', 'green'].flatMap((hue) => [1, 2, 3, 4].map((level): Pair => ['ink', `${hue}-${level}`, 4.5])),
  ['brand', 'brand-soft', 4.5],
  ['ink', 'brand-soft', 4.5],
  ['brand-fill', 'card', 3],
  ['brand-fill', 'ground', 3],
  ['brand-fill', 'raised', 3],
  ['card', 'ink', 4.5],
]

/** What each colour is for. Those in no pair carry no meaning by themselves. */
export const COLOURS: Record<string, string> = {
  ink: '主要文字',
  'ink-2': '次要文字',
  'ink-3': '說明文字',
  brand: '可以按的字、焦點',
  'brand-fill': '主要按鈕',
  'brand-hover': '主要按鈕，游標停在上面',
  'on-brand': '主要按鈕上的字',
  'brand-soft': '選中的底',
  red: '漲、多、獲利（可對調）',
  green: '跌、空、虧損（可對調）',
  flat: '平盤',
  'on-seal': '實心印上的字',
  warn: '要留意',
  'warn-soft': '要留意的底',
  danger: '刪除、失敗',
  'danger-soft': '失敗的底',
  good: '已完成、已驗證',
  'good-soft': '已完成的底',
  ground: '頁面的底',
  card: '卡片',
  raised: '浮起的面',
  sunken: '凹下的面',
  fill: '填色的控制項',
  highlight: '剛到的訊號',
  edge: '控制項的邊',
  'chart-line': '圖表的線',
  line: '分隔線',
  thumb: '開關的鈕',
  grab: '抽屜的把手',
  mark: '標誌的圓點',
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((level) => [
      [`red-${level}`, `月報酬熱圖，漲 ${level}`],
      [`green-${level}`, `月報酬熱圖，跌 ${level}`],
    ]),
  ),
}
