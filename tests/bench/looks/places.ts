// What is looked at: every route of spec §2 for everybody who can stand there, and the states of the main ones.
import { KEYS } from '#state/storage.ts'
import type { Viewer, World } from './world.ts'

/** What the network does to the page: answers wait, answers fail, or it goes away once the page stands. */
export type Trouble = 'held' | 'failed' | 'offline'

export interface Place {
  /** Short, for file names. */
  name: string
  /** Path or whole address. */
  at: string
  /** Name of the key pressed once the page stands. */
  press?: RegExp
}

/** One state for one viewer. */
export interface Tour {
  state: string
  identity: string
  /** null = signed out. */
  viewer: Viewer | null
  places: Place[]
  /** What the browser remembers beside session and theme. */
  kept?: Record<string, string>
  trouble?: Trouble
}

const place = (name: string, at: string, press?: RegExp): Place => ({ name, at, ...(press && { press }) })

const DEMOS = [
  place('search-form-demo', '/search-form-demo'),
  place('demo-list', '/demo-strategylist'),
  place('demo-table', '/demo-strategylist?view=table'),
  place('icons', '/demo-strategylist/icons'),
  place('color-test', '/demo-strategylist/color-test'),
]

const DOORS = [
  place('login', '/login'),
  place('register', '/login?tab=register'),
  place('reset', '/reset-password'),
  place('reset-new', '/reset-password?token=looked-at'),
  place('sso', '/sso?error=denied'),
  place('token-login', '/token-login'),
  place('403', '/403'),
  place('not-found', '/nowhere'),
]

const NOTIFICATIONS = ['inbox', 'setting', 'deliveries', 'why'].map((tab) =>
  place(`notification-${tab}`, `/signal-notification?tab=${tab}`),
)

const ANYBODY = [
  place('dashboard', '/dashboard'),
  place('guide', '/guide'),
  place('guide-search', '/guide?q=webhook'),
  place('strategies', '/strategies'),
  place('signals', '/signals'),
  place('profile', '/profile'),
  place('my-organizations', '/my-organizations'),
  place('my-announcements', '/my-announcements'),
  ...NOTIFICATIONS,
  place('permission', '/tests/permission'),
  place('component-demo', '/component-demo'),
  place('outbox', '/dashboard?panel=outbox'),
  place('not-found', '/nowhere'),
]

const TABLE = [place('strategies-table', '/strategies')]

const TABS = ['overview', 'signals', 'positions', 'trades', 'note']

const strategyOf = ({ strategy_id: id, signal_id }: Viewer) => [
  ...TABS.map((tab) => place(`strategy-${tab}`, `/strategies/${id}?tab=${tab}`)),
  place('signal', `/signals?signal=${signal_id}`),
]

const writingOf = ({ strategy_id: id }: Viewer) => [
  place('manual', `/strategies/${id}?manual=1`),
  place('create', '/strategies/create'),
  place('create-futures', '/strategies/create/futures'),
  place('connect', `/strategies/create/futures?connect=${id}`),
  place('create-stock', '/strategies/create/stock'),
  place('create-xq', '/strategies/create/xq-stock'),
  place('strategy-settings', `/strategies/${id}?tab=settings`),
  place('edit', `/strategies/${id}/edit`),
]

const MANAGE = [
  ...['overview', 'members', 'invites', 'requests', 'groups', 'strategies'],
  ...['access', 'announcements', 'settings'],
].map((tab) => place(`manage-${tab}`, `/organizations/manage?tab=${tab}`))

const organizationOf = ({ org_id }: Viewer) => [
  place('info', '/organizations/info'),
  place('announcements', `/organizations/${org_id}/announcements`),
]

/** What is opened on a page by a key. */
const OPENED = [
  place('menu', '/dashboard', /我的選單|我的$/),
  place('invite', '/organizations/manage?tab=members', /^邀請/),
  place('link-new', '/organizations/manage?tab=invites', /^建立連結$/),
  place('request-approve', '/organizations/manage?tab=requests', /^通過 .+ 的申請$/),
  place('request-reject', '/organizations/manage?tab=requests', /^拒絕 .+ 的申請$/),
  place('group-new', '/organizations/manage?tab=groups', /群組$/),
]

/** Ways into the admin's organization, as those stand before them who open them; and an invitation that is over. */
const entering = ({ codes }: World) => [
  place('join-link', `/my-organizations?invite=${codes.link}`),
  place('join-code', `/my-organizations?invite=${codes.typed}`),
  place('join-typed', '/my-organizations', /加入碼/),
  place('join-unknown', '/my-organizations?invite=AAAA2222'),
  place('invitation-over', '/my-organizations?invitation=01990000-0000-7000-8000-000000000001'),
]

/** Every route in its full state. */
function full({ personal, admin, member, authorize }: World): Tour[] {
  const state = 'full'
  const kept = { [KEYS.strategy_list]: JSON.stringify({ type: 'futures', view_mode: 'table' }) }
  const signed_out = [place('landing', '/'), place('test-shadcn', '/test-shadcn'), ...DOORS, ...DEMOS]
  const alone = [
    ...ANYBODY,
    ...strategyOf(personal),
    ...writingOf(personal),
    place('organization-create', '/organizations/create'),
    place('authorize', authorize),
    place('authorize-over', '/auth/oauth/authorize'),
    place('landing', '/'),
    place('403', '/403?missing=group:view'),
    ...DEMOS,
  ]
  const managing = [
    ...ANYBODY,
    ...strategyOf(admin),
    ...writingOf(admin),
    ...MANAGE,
    ...organizationOf(admin),
    ...OPENED,
    place('403', '/403?missing=organization:create'),
  ]
  const reading = [
    ...ANYBODY,
    ...strategyOf(member),
    ...organizationOf(member),
    place('edit-denied', `/strategies/${member.strategy_id}/edit`),
    place('403', '/403?missing=strategy:create'),
  ]
  return [
    { state, identity: 'out', viewer: null, places: signed_out },
    { state, identity: 'personal', viewer: personal, places: alone },
    { state, identity: 'admin', viewer: admin, places: managing },
    { state, identity: 'member', viewer: member, places: reading },
    { state, identity: 'personal', viewer: personal, places: TABLE, kept },
  ]
}

const MAIN = [
  place('dashboard', '/dashboard'),
  place('signals', '/signals'),
  place('strategies', '/strategies'),
  place('profile', '/profile'),
  place('my-organizations', '/my-organizations'),
  place('my-announcements', '/my-announcements'),
  place('outbox', '/dashboard?panel=outbox'),
]

const mainOf = (viewer: Viewer) => [...MAIN, ...NOTIFICATIONS, ...strategyOf(viewer)]

/** The main routes as the network leaves them, or with everything covered. */
function troubled({ personal, admin, member }: World, state: string, how: Partial<Tour>): Tour[] {
  const settings = place('strategy-settings', `/strategies/${personal.strategy_id}?tab=settings`)
  const edit = place('edit', `/strategies/${personal.strategy_id}/edit`)
  const denied = place('403', '/403?missing=strategy:create')
  return [
    { state, identity: 'personal', viewer: personal, places: [...mainOf(personal), settings, edit], ...how },
    {
      state,
      identity: 'admin',
      viewer: admin,
      places: [place('dashboard', '/dashboard'), ...MANAGE, ...organizationOf(admin)],
      ...how,
    },
    {
      state,
      identity: 'member',
      viewer: member,
      places: [place('dashboard', '/dashboard'), ...organizationOf(member), denied],
      ...how,
    },
  ]
}

/** Everything `npm run bench -- looks` visits. */
export function tours(world: World): Tour[] {
  const { fresh, beginner, founder, wordy } = world
  const shown = mainOf(beginner).filter(({ name }) => name !== 'signal')
  const bare = [place('strategy-settings', `/strategies/${beginner.strategy_id}?tab=settings`)]
  const doors = DOORS.slice(0, 3)
  const joining = entering(world)
  const asked = [place('my-organizations', '/my-organizations'), ...joining]
  const covered = { kept: { [KEYS.privacy]: 'true' } }
  return [
    ...full(world),
    { state: 'empty', identity: 'fresh', viewer: fresh, places: [...MAIN, ...joining] },
    { state: 'empty', identity: 'beginner', viewer: beginner, places: [...shown, ...bare] },
    { state: 'full', identity: 'applicant', viewer: world.applicant, places: asked },
    { state: 'full', identity: 'member', viewer: world.member, places: joining },
    { state: 'full', identity: 'beginner', viewer: beginner, places: joining },
    {
      state: 'empty',
      identity: 'founder',
      viewer: founder,
      places: [place('dashboard', '/dashboard'), ...MANAGE, ...organizationOf(founder)],
    },
    { state: 'wordy', identity: 'wordy', viewer: wordy, places: [...mainOf(wordy), ...writingOf(wordy)] },
    ...troubled(world, 'loading', { trouble: 'held' }),
    ...troubled(world, 'failed', { trouble: 'failed' }),
    ...troubled(world, 'offline', { trouble: 'offline' }),
    { state: 'offline', identity: 'out', viewer: null, places: doors, trouble: 'offline' },
    ...troubled(world, 'privacy', covered),
    {
      state: 'privacy',
      identity: 'personal',
      viewer: world.personal,
      places: [place('authorize', world.authorize)],
      ...covered,
    },
  ]
}
