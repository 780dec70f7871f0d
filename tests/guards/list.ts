// Guards of the product, each to be taken out once: the tests of npm test have to turn red (docs/faults.md).

/** One guard taken out: every `from` stands in its file exactly once. */
export interface Guard {
  readonly name: string
  readonly changes: readonly { readonly file: string; readonly from: string; readonly to: string }[]
  /** The files of npm test of which one has to turn red. */
  readonly tests: readonly string[]
}

const one = (name: string, file: string, from: string, to = ''): Omit<Guard, 'tests'> => ({
  name,
  changes: [{ file, from, to }],
})
const ACTOR = 'server/access/actor.ts'
const ACCESS = 'server/access/membership.ts'
const STRATEGY = 'server/access/strategies.ts'
const GROUPS = 'server/access/organization.ts'
const INVITE = 'server/invitation/store.ts'
const JOIN = 'server/join/routes.ts'
const VISIBLE = ".where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))"
const ENDS = "\n    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))"
const UNPROVEN =
  'if (!actor.email_verified) throw new ApiError(6010)\n' +
  "        await requireStill(tx.db, actor, 'strategy:create', today(app))\n        "
const PERMISSION =
  "if (endpoint.who !== 'public' && endpoint.who !== 'login' && !may(identity, endpoint.who))"

/** Who may call and what is theirs, in the order of a request. */
const ACCESS_GUARDS: readonly Omit<Guard, 'tests'>[] = [
  one(
    'a token without its signature',
    'server/access/actor.ts',
    'await jwtVerify(token, app.keys.jwt, {',
    "await (async (..._: unknown[]) => ({ payload: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) }))(token, app.keys.jwt, {",
  ),
  one(
    'a token past its end',
    'server/access/actor.ts',
    'currentDate: new Date(app.now())',
    'currentDate: new Date(0)',
  ),
  one('a session that was ended', ACTOR, ' || row.ended_at !== null', ''),
  one(
    'an application beyond its scopes',
    'server/oidc/provider.ts',
    'if (!endpoint.scope || !found.scopes.has(endpoint.scope)) throw new ApiError(4034)',
  ),
  one(
    'a header that names no membership',
    ACTOR,
    "if (membership === 'none' && !anywhere) throw new ApiError(4031)",
  ),
  one('a permission', ACTOR, PERMISSION, "if (endpoint.name === 'no call' && !may(identity, 'group:view'))"),
  one(
    'a membership of whom',
    ACCESS,
    ".where('user_id', '=', uid)\n    .where('starts_on'",
    ".where('starts_on'",
  ),
  one(
    'a membership of which organization',
    ACCESS,
    ".where('organization_id', '=', organization_id)\n    .where('user_id', '=', uid)\n    .where('starts_on'",
    ".where('user_id', '=', uid)\n    .where('starts_on'",
  ),
  one('a membership that ended', ACCESS, `${ENDS}\n    .executeTakeFirst()`, '\n    .executeTakeFirst()'),
  one('a group of whom', ACCESS, "\n    .where('member.user_id', '=', uid)"),
  one(
    'a member without its list',
    ACTOR,
    "inside?.role === 'member' ? await accessMap(app.db, inside, today(app)) : null",
    'null',
  ),
  one(
    'strategies of which scope',
    STRATEGY,
    "db.selectFrom('strategies').where('strategies.scope', '=', actor.scope)",
    "db.selectFrom('strategies')",
  ),
  one(
    'strategies that a member was given',
    STRATEGY,
    ": own.where('strategies.id', 'in', idsOf(actor.access))",
    ': own',
  ),
  {
    name: 'signals of which scope and strategy',
    changes: [
      {
        file: STRATEGY,
        from: ".where('signals.scope', '=', actor.scope).where(isShown)",
        to: '.where(isShown)',
      },
      {
        file: STRATEGY,
        from: "visibleStrategies(db, actor)\n          .select('strategies.id')",
        to: "db.selectFrom('strategies')\n          .select('strategies.id')",
      },
    ],
  },
  {
    name: 'a strategy held, whose and by whom',
    changes: [
      {
        file: STRATEGY,
        from: "const query = visibleStrategies(db, actor).where('strategies.id', '=', id).selectAll()",
        to: "const query = db.selectFrom('strategies').where('strategies.id', '=', id).selectAll()",
      },
    ],
  },
  one(
    'a strategy read, whose',
    STRATEGY,
    'const row = await visibleStrategies(db, actor)\n    .where',
    "const row = await db.selectFrom('strategies')\n    .where",
  ),
  one('a webhook, whose', 'server/access/strategies.ts', `\n    ${VISIBLE}`),
  one('webhooks of the list, whose', 'server/webhook/store.ts', `\n    ${VISIBLE}`),
  one(
    'the signal that is pointed at and its strategy, whose',
    'server/signal/list.ts',
    "return visibleSignals(db, actor).select(RECORD_COLUMNS).where('id', '=', id).executeTakeFirst()",
    "return db.selectFrom('signals').select(RECORD_COLUMNS).where('id', '=', id).executeTakeFirst()",
  ),
  one(
    'strategies on the first screen, whose',
    'server/dashboard/store.ts',
    'return visibleStrategies(db, actor)\n    .leftJoin',
    "return db.selectFrom('strategies')\n    .leftJoin",
  ),
  one(
    'records on the first screen, whose',
    'server/dashboard/store.ts',
    'return newestSignals(db, actor, LATEST).select(RECORD_COLUMNS)',
    "return db.selectFrom('signals').orderBy('seq', 'desc').limit(LATEST).select(RECORD_COLUMNS)",
  ),
  one(
    'groups of which organization',
    GROUPS,
    "\n    .where('strategy_groups.organization_id', '=', actor.organization_id ?? '')",
  ),
  one(
    'groups that a member is in',
    GROUPS,
    'if (!seesOwnOnly(actor)) return own',
    'if (actor.uid) return own',
  ),
  one(
    'a row of an organization (group, invitation, link, announcement), whose',
    GROUPS,
    "\n    .where('organization_id', '=', organization_id)\n    .executeTakeFirstOrThrow(() => new ApiError(4040))\n  return row as",
    '\n    .executeTakeFirstOrThrow(() => new ApiError(4040))\n  return row as',
  ),
  one(
    'an organization in the path that is not the header’s',
    'server/access/organization.ts',
    'actor.organization_id === null || actor.organization_id !== id',
    'actor.organization_id === null',
  ),
  one('an invitation to another address', INVITE, 'if (actor.email !== row.email) throw new ApiError(4033)'),
  one(
    'a request to join that is answered, whose',
    JOIN,
    'if (row?.organization_id !== id) throw new ApiError(4040)',
    'if (!row) throw new ApiError(4040)',
  ),
  one(
    'requests to join that are listed, whose',
    'server/join/store.ts',
    "let found = db.selectFrom('join_requests').where('organization_id', '=', id)",
    "let found = db.selectFrom('join_requests').where('id', '<>', id)",
  ),
  one(
    'my requests to join, whose',
    JOIN,
    "\n        .where('user_id', '=', actor.uid)\n        .orderBy",
    '\n        .orderBy',
  ),
  one(
    'a request to join that is taken back, whose',
    JOIN,
    'if (known?.user_id !== actor.uid) throw new ApiError(4040)',
    'if (!known) throw new ApiError(4040)',
  ),
  one(
    'a first strategy before the address is proven',
    'server/strategy/routes.ts',
    `${UNPROVEN}const row = await store.insertStrategy`,
    'const row = await store.insertStrategy',
  ),
  one(
    'a copy of a strategy before the address is proven',
    'server/strategy/routes.ts',
    `${UNPROVEN}const { row, webhook } = await duplicate`,
    'const { row, webhook } = await duplicate',
  ),
  one(
    'a session, whose',
    'server/session/store.ts',
    "\n    .where('id', '=', sid)\n    .where('uid', '=', uid)",
    "\n    .where('id', '=', sid)",
  ),
  one(
    'an application’s access, whose',
    'server/oidc/grants.ts',
    "\n    .where('id_hash', '=', id_hash)\n    .where('account', '=', uid)",
    "\n    .where('id_hash', '=', id_hash)",
  ),
]

const guard = (name: string, test: string, file: string, from: string, to = ''): Guard => ({
  name,
  changes: [{ file, from, to }],
  tests: [`tests/${test}.test.ts`],
})
const COPIES = 'server/ingest/copies.ts'
const SQLITE = 'server/db/sqlite.ts'

/** Against a lost record, a wrong one, and a stranger's eyes where no call is made. */
const RECORD_GUARDS: readonly Guard[] = [
  guard(
    'F2 a commit is on the disk',
    'server/database',
    SQLITE,
    "db.pragma('synchronous = FULL')",
    "db.pragma('synchronous = NORMAL')",
  ),
  guard('F3 a full disk', 'faults/full', 'server/db/condition.ts', 'SQLITE_FULL|53|', '53|'),
  guard(
    'F5 a message sent again',
    'server/intake',
    COPIES,
    'if (!near || !newest) return null',
    'if (near) return null\n    if (!newest || !near) return null',
  ),
  guard(
    'F5 a call with a key, again',
    'server/idempotency',
    'server/http/idempotency.ts',
    'if (!row) return null\n  if',
    'if (row) return null\n  if (!row) return null\n  if',
  ),
  guard('F7 one file, one server', 'server/database', SQLITE, "lock.exec('begin exclusive')", ''),
  guard(
    'F8 order of numbers = order of commits',
    'server/database',
    'server/events/append.ts',
    'counters.seq + excluded.seq',
    'excluded.seq',
  ),
  guard(
    'F9 the clock a day ahead',
    'faults/poison',
    COPIES,
    'Math.abs(at_ms - seen.at_ms)',
    'at_ms - seen.at_ms',
  ),
  guard(
    'F9 deleted by the believed time',
    'server/clock',
    'server/clock.ts',
    'const next = this.#looking.then(look, look)',
    'const next = this.#looking.then(look, look).then(() => this.#app.now())',
  ),
  guard(
    'F11 what was taken is finished',
    'faults/stopping',
    'server/ingest/intake.ts',
    'this.#closed = true\n    await this.#running',
    'this.#closed = true',
  ),
  guard(
    'F12 a migration is whole',
    'faults/migration',
    'server/db/open.ts',
    'override get supportsTransactionalDdl(): boolean {\n    return true',
    'override get supportsTransactionalDdl(): boolean {\n    return false',
  ),
  guard(
    'F13 a backup to its end',
    'faults/backup',
    'server/backup/format.ts',
    'while (!(await source.next()).done);',
    '',
  ),
  guard('F14 a file that vanished', 'faults/damaged', SQLITE, '?.size ?? 0)) throw', '?.size ?? 1)) throw'),
  guard(
    'F14 a database without tables',
    'faults/damaged',
    SQLITE,
    'if (known && tables === 0) throw new Error(goneText(path))',
  ),
  guard(
    'F14 a flipped page',
    'faults/damaged',
    SQLITE,
    "db.pragma('quick_check(1)', { simple: true }) !== 'ok'",
    'false',
  ),
  guard(
    'the file is replaced under the server',
    'faults/ground',
    SQLITE,
    "if (text === 'commit') footing.after()",
  ),
  guard(
    'a restore that was killed',
    'faults/restore-killed',
    'server/app.ts',
    '  await refuseHalfRestored(config)\n',
  ),
  guard(
    'a restored past: the stream',
    'server/epoch',
    'server/stream/read.ts',
    'return { epoch, cursor }',
    'return { epoch: null, cursor }',
  ),
  guard(
    'a restored past: the feed',
    'server/epoch',
    'server/signal/routes.ts',
    'if (epoch === undefined) return true',
    'if (epoch !== null) return true',
  ),
  guard(
    'T37 keys of processes that start together',
    'faults/starting',
    'server/keys.ts',
    'linkSync(fresh, path)',
    'renameSync(fresh, path)',
  ),
  guard(
    'T29 the log names a call by its name',
    'attack/secrets',
    'server/app.ts',
    'const took = { name,',
    'const took = { name: c.req.url,',
  ),
  guard(
    'T29 a mail that failed, in the log',
    'attack/secrets',
    'server/mail/mailer.ts',
    '{ code: codeOf(error), tries',
    '{ err: error, tries',
  ),
  guard(
    'T29 a broken body, in the answer',
    'attack/secrets',
    'server/http/body.ts',
    "msg: 'body is not JSON'",
    'msg: text',
  ),
  guard(
    'T31 fields that no shape names',
    'attack/assignment',
    'server/http/handle.ts',
    'return parseInput(endpoint.input, raw) as ParsedInputOf<E>',
    'return { ...raw, ...(parseInput(endpoint.input, raw) as object) } as ParsedInputOf<E>',
  ),
  guard(
    'T5 a NUL in a refused message',
    'server/intake',
    'server/ingest/reread.ts',
    "verdict.reason?.replaceAll('\\0', '␀') ?? null",
    'verdict.reason ?? null',
  ),
  guard(
    'what nobody has confirmed is held',
    'server/webhook-formats',
    'server/ingest/judge.ts',
    'if (until === null || until <= input.received_at) return { read, asks }',
  ),
  guard(
    'what says that nothing is to be done is held, also of webhooks from before',
    'server/webhook-formats',
    'server/ingest/judge.ts',
    'if (denied) return { read, asks }',
  ),
  guard(
    'people are asked once in ten minutes',
    'server/webhook-formats',
    'server/ingest/format-store.ts',
    'return asked_at === null || Date.parse(asked_at) <= Date.parse(at) - ASKED_EVERY_MS',
    'return asked_at !== at',
  ),
  guard(
    'a format confirmed once',
    'server/webhook-formats',
    'server/webhook/formats.ts',
    "if (row.state !== 'waiting') return takenAt(tx.db, webhook.id, row.confirmed_at)",
  ),
  guard(
    'what is late when it is confirmed is quiet',
    'server/webhook-formats',
    'server/webhook/formats.ts',
    'Date.parse(tx.at) - Date.parse(received_at) <= late_ms',
    'Date.parse(received_at) > late_ms - late_ms',
  ),
  guard('a message as it came: byte order mark', 'attack/fuzz', 'server/ingest/body.ts', ', ignoreBOM: true'),
  guard(
    'a message as it came: lines',
    'attack/fuzz',
    'trading/reader/match.ts',
    'text: spaced(text), secret: null, clean: body }',
    'text: spaced(text), secret: null, clean: spaced(text) }',
  ),
  guard(
    'a message as it came: blanks',
    'attack/fuzz',
    'trading/reader/generic.ts',
    "訊息範本'), clean: input.body }",
    "訊息範本'), clean: '' }",
  ),
  guard(
    'a link that was handed over proves no mailbox',
    'server/invitation',
    INVITE,
    'row.handed === 0 && row.email',
    'row.email',
  ),
  guard(
    'an administrator by a link that was handed over',
    'server/invitation',
    'server/invitation/routes.ts',
    "invite.handed === 1 && role === 'admin'",
    "invite.handed === 2 && role === 'admin'",
  ),
  guard(
    'the link of a mailed invitation',
    'server/invitation',
    INVITE,
    'row.handed === 1 && stateAt',
    'stateAt',
  ),
  guard(
    'marks of what was told, whose',
    'server/attention',
    'server/notify/inbox.ts',
    "\n    .where('uid', '=', uid)\n    .where('read_at', 'is', null)",
    "\n    .where('read_at', 'is', null)",
  ),
  guard(
    'what a strategy was said to do stays said',
    'server/assumed',
    'server/strategy/store.ts',
    'return before.assumed.filter((name) => {',
    'return (changes.assumed ?? before.assumed).filter((name) => {',
  ),
]

export const GUARDS: readonly Guard[] = [
  ...RECORD_GUARDS,
  ...ACCESS_GUARDS.map((one) => ({ ...one, tests: ['tests/server/access.test.ts'] })),
]
