// What the gallery shows: file, screen, whose page, and what is done on it first. docs/screens/README.md groups them.
import type { Page } from 'playwright'
import { everythingKept } from '#tests/support/screen.ts'

/** What the demonstration has, as the pictures need it. */
export interface Shown {
  people: Record<'demo' | 'member' | 'fresh', { token: string; uid: string }>
  /** Id of a strategy by its name. */
  of(name: string): string
  /** A record that closed a position. */
  closed: string
  /** The organization of the demonstration. */
  organization: string
}

export interface Picture {
  file: string
  screen: 'phone' | 'tablet' | 'desktop'
  theme: 'light' | 'dark'
  who: keyof Shown['people'] | null
  path(shown: Shown): string
  /** As their self in the organization, not as a person. */
  org: boolean
  /** The whole page, not only what the screen shows. */
  full: boolean
  /** Of the guide: this much of a phone's screen, from here down, into public/guide. */
  from?: number
  /** On a page of the same context, before the path is opened. */
  before?(page: Page, url: string): Promise<void>
  /** On the page, before it is taken. */
  act?(page: Page): Promise<void>
}

type Rest = Pick<Picture, 'before' | 'act' | 'from'> & Partial<Pick<Picture, 'who' | 'org' | 'full'>>

/** One picture; the file's name says screen and theme. */
function picture(file: string, path: string | Picture['path'], rest: Rest = {}): Picture {
  const [screen, theme] = file.split('-').slice(-2) as [Picture['screen'], Picture['theme']]
  return {
    file: `${file}.png`,
    screen,
    theme,
    who: rest.who === undefined ? 'demo' : rest.who,
    path: typeof path === 'string' ? () => path : path,
    org: rest.org ?? false,
    full: rest.full ?? false,
    ...(rest.before && { before: rest.before }),
    ...(rest.act && { act: rest.act }),
    ...(rest.from !== undefined && { from: rest.from }),
  }
}

const of = (name: string, rest: string) => (shown: Shown) => `/strategies/${shown.of(name)}${rest}`
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Everything is on the device, then the network goes. */
async function goOffline(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/strategies`)
  await page.locator('main article').first().waitFor()
  await everythingKept(page)
  await page.context().setOffline(true)
}

/** A picture of the guide in both themes (features/guide/topics.ts names it). */
const guide = (name: string, path: string | Picture['path'], from: number, rest: Rest = {}) =>
  ['light', 'dark'].map((theme) => {
    const made = picture(`${name}-phone-${theme}`, path, { ...rest, from })
    return { ...made, file: `${name}-${theme}.webp` }
  })

export const PICTURES: readonly Picture[] = [
  picture('dashboard-desktop-light', '/dashboard'),
  picture('dashboard-desktop-dark', '/dashboard'),
  picture('dashboard-tablet-dark', '/dashboard'),
  picture('dashboard-phone-light', '/dashboard'),
  picture('empty-desktop-light', '/dashboard', { who: 'fresh' }),
  picture('privacy-phone-dark', '/dashboard', {
    before: async (page, url) => {
      await page.goto(`${url}/robots.txt`)
      await page.evaluate(() => localStorage.setItem('privacyMode', 'true'))
    },
  }),
  picture('signals-phone-dark', '/signals'),
  picture('record-phone-light', (shown) => `/signals?signal=${shown.closed}`),
  picture('record-desktop-dark', (shown) => `/signals?signal=${shown.closed}`),
  picture('strategies-phone-light', '/strategies'),
  picture('strategies-desktop-dark', '/strategies'),
  picture('strategy-desktop-light', of('台指當沖突破', '')),
  picture('strategy-tablet-light', of('台指當沖突破', '')),
  picture('trades-desktop-dark', of('台指當沖突破', '?tab=trades')),
  picture('positions-desktop-dark', of('權值股月線', '?tab=overview&part=positions')),
  picture('stocks-desktop-light', of('權值股月線', '?tab=overview&part=stocks')),
  picture('stocks-phone-dark', of('權值股月線', '?tab=overview&part=stocks')),
  picture('rules-desktop-dark', of('權值股月線', '?tab=settings&part=rules')),
  picture('rules-phone-light', of('權值股月線', '?tab=settings&part=rules')),
  picture('note-phone-light', of('台指當沖突破', '?tab=settings&part=about')),
  picture('settings-desktop-light', of('台指當沖突破', '?tab=settings')),
  picture('bell-desktop-dark', of('大台趨勢波段', ''), { act: press(/通知/) }),
  picture('manual-phone-light', (shown) => `/strategies?manual=${shown.of('台指當沖突破')}`),
  picture('form-phone-light', '/strategies/create/futures'),
  picture('organization-desktop-light', '/organizations/manage?tab=members', { org: true }),
  picture('organization-phone-dark', '/organizations/manage?tab=members', { org: true }),
  picture('access-desktop-light', '/organizations/manage?tab=access', { org: true }),
  picture('access-phone-dark', '/organizations/manage?tab=access', { org: true }),
  picture('invites-desktop-light', '/organizations/manage?tab=invites', { org: true }),
  picture('requests-phone-dark', '/organizations/manage?tab=requests', { org: true }),
  picture('matrix-desktop-light', '/organizations/manage?tab=groups&view=matrix', { org: true }),
  picture('matrix-phone-dark', '/organizations/manage?tab=groups&view=matrix', { org: true }),
  picture('viewed-phone-light', '/organizations/manage?tab=members', {
    org: true,
    act: async (page) => {
      await page.getByRole('button', { name: '張雅筑：更多' }).filter({ visible: true }).click()
      await page.getByRole('menuitem', { name: '以成員身分檢視' }).click()
      await page.getByRole('region', { name: '以成員身分檢視' }).waitFor()
    },
  }),
  picture('member-tablet-light', '/organizations/info', { org: true, who: 'member' }),
  picture('groups-phone-dark', '/strategies', { org: true, who: 'member' }),
  picture('announcements-phone-light', '/my-announcements', { org: true, who: 'member' }),
  picture('announcement-desktop-dark', '/my-announcements', {
    ...{ org: true, who: 'member' },
    act: (page) => page.getByText('最後交易日提早收盤').first().click(),
  }),
  picture('announce-desktop-light', '/organizations/manage?tab=announcements', { org: true }),
  picture('denied-phone-light', '/strategies/create', { org: true, who: 'member' }),
  picture('notification-phone-dark', '/signal-notification'),
  picture('notification-setting-desktop-dark', '/signal-notification?tab=setting', { full: true }),
  picture('deliveries-phone-light', '/signal-notification?tab=deliveries'),
  picture('why-phone-light', '/signal-notification?tab=why'),
  picture('profile-desktop-light', '/profile', { full: true }),
  picture('profile-phone-dark', '/profile'),
  picture('offline-phone-dark', '/strategies', { before: goOffline }),
  picture('landing-desktop-dark', '/', { who: null }),
  ...guide('create', '/strategies/create/futures', 56),
  ...guide('signals', '/signals', 56),
  ...guide('manual', (shown) => `/strategies?manual=${shown.of('台指當沖突破')}`, 300),
  ...guide('notify', '/signal-notification?tab=setting', 56),
  ...guide('why', '/signal-notification?tab=why', 56),
]
