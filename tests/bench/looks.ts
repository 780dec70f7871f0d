// Every route, identity and state at three widths in both themes: axe, layout shift, nothing sideways, no console error, and a picture of each.
// SHOTS is the folder of the pictures; PART a pattern for `state/identity/name/width/theme`.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { openBrowser } from './app.ts'
import { report } from './figures.ts'
import { type Tour, tours } from './looks/places.ts'
import {
  type Look,
  openContext,
  SCREENS,
  type Screen,
  THEMES,
  type Theme,
  trouble,
  visit,
} from './looks/visit.ts'
import { openWorld } from './looks/world.ts'

const SHOTS = process.env['SHOTS'] ?? join(tmpdir(), 'lingbo-looks')
const PART = new RegExp(process.env['PART'] ?? '')
/** Contexts at a time: more would slow each other down. */
const LANES = 2

type Seen = Look & { where: string; state: string; place: string }
type Walk = { tour: Tour; screen: Screen; theme: Theme }

/** All places of a tour in one context. */
async function walk(browser: Browser, origin: string, { tour, screen, theme }: Walk): Promise<Seen[]> {
  const { state, identity } = tour
  const wanted = tour.places
    .map((place) => ({ place, where: [state, identity, place.name, screen.width, theme].join('/') }))
    .filter(({ where }) => PART.test(where))
  if (wanted.length === 0) return []
  const context = await openContext(browser, origin, tour, screen, theme)
  const seen: Seen[] = []
  try {
    const page = await context.newPage()
    await trouble(page, tour.trouble)
    for (const { place, where } of wanted) {
      const shot = join(SHOTS, `${where.replaceAll('/', '_')}.png`)
      const look = await visit(page, origin, tour, place, shot).catch((error: Error) => ({
        violations: [],
        shift: 0,
        moved: [],
        sideways: 0,
        errors: [`not looked at: ${error.message.slice(0, 300)}`],
      }))
      seen.push({ ...look, where, state, place: place.name })
      tell(where, look)
    }
  } finally {
    await context.close()
  }
  return seen
}

/** It takes half an hour and more: what is found is said at once. */
function tell(where: string, { violations, shift, moved, sideways, errors }: Look): void {
  const found = [
    ...violations.map(({ rule, at }) => `${rule} ${at}`),
    ...errors,
    ...(sideways > 0 ? [`sideways ${sideways}`] : []),
    ...(shift > 0 ? [`layout shift ${shift.toFixed(5)}: ${moved.slice(0, 4).join(', ')}`] : []),
  ]
  for (const one of found) process.stderr.write(`${where}: ${one}\n`)
}

/** The findings of all, by what they are. */
function summary(seen: readonly Seen[]) {
  const rules: Record<string, { count: number; at: string[] }> = {}
  for (const { where, violations } of seen)
    for (const { rule, at } of violations) {
      rules[rule] ??= { count: 0, at: [] }
      const own = rules[rule]
      own.count++
      own.at.push(`${where}: ${at}`)
    }
  const shifts = seen.filter(({ shift }) => shift > 0).sort((a, b) => b.shift - a.shift)
  return {
    visits: seen.length,
    rules,
    shifts: shifts.map(({ where, shift, moved }) => ({ where, shift, moved })),
    sideways: seen
      .filter(({ sideways }) => sideways > 0)
      .map(({ where, sideways }) => `${where}: ${sideways}`),
    errors: seen.flatMap(({ where, errors }) => errors.map((error) => `${where}: ${error}`)),
  }
}

/** npm run bench -- looks. The goal: nothing found, nothing moved, on every page. */
export async function looks(): Promise<void> {
  const world = await openWorld()
  const browser = await openBrowser([], { scrollbars: true })
  const seen: Seen[] = []
  try {
    const walks = tours(world).flatMap((tour) =>
      SCREENS.flatMap((screen) => THEMES.map((theme): Walk => ({ tour, screen, theme }))),
    )
    const lane = async () => {
      for (let next = walks.shift(); next; next = walks.shift())
        seen.push(...(await walk(browser, world.server.url, next)))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    await browser.close()
    await world.close()
  }
  const parts = { routes: summary(seen.filter(isFull)), states: summary(seen.filter((one) => !isFull(one))) }
  for (const [name, found] of Object.entries(parts))
    if (found.visits > 0) report(`looks-${name}`, `${line(found)}; pictures in ${SHOTS}`, found)
}

const isFull = ({ state }: Seen) => state === 'full'

function line({ visits, rules, shifts, sideways, errors }: ReturnType<typeof summary>): string {
  const [worst] = shifts
  const found = Object.values(rules).reduce((sum, { count }) => sum + count, 0)
  return (
    `${visits} pages: ${found} findings of ${Object.keys(rules).length} axe rules, ` +
    `${shifts.length} with a layout shift, worst ${worst ? `${worst.shift.toFixed(5)} (${worst.where})` : '0'}, ` +
    `${sideways.length} sideways, ${errors.length} console errors`
  )
}
