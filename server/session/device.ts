// A name for the device of a session, from its User-Agent: enough to recognise one's own phone in a list.

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
  [/^LingBo-demo$/, '凌波示範程式'],
]
// Order matters: nearly everything also calls itself Safari, and Edge also Chrome.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bLine\//i, 'LINE'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** For example 「iPhone · Safari」; 「未知裝置」 when nothing is recognised. */
export function deviceLabel(user_agent: string): string {
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(user_agent))?.[1]
  return [find(SYSTEMS), find(BROWSERS)].filter(Boolean).join(' · ') || '未知裝置'
}
