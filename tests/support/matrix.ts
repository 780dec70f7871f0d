// A valid input for every endpoint, so that access alone decides. An endpoint missing here fails the access test.
import { randomBytes } from 'node:crypto'
import { uuidv7 } from '#contract/ids.ts'
import { MANUAL_FRESH_MS } from '#trading/manual.ts'
import { NOTIFY_TRIALS } from './matrix-notify.ts'
import {
  ANNOUNCEMENT_TRIALS,
  GROUP_TRIALS,
  INVITATION_TRIALS,
  JOIN_TRIALS,
  ORGANIZATION_TRIALS,
} from './matrix-organizations.ts'
import { PASSWORD } from './people.ts'
import type { Trial } from './trial.ts'

/** The smallest PNG: one grey pixel. */
export const PIXEL = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12NoaGgAAAMEAYGa8M1PAAAAAElFTkSuQmCC',
    'base64',
  ),
)

let count = 0
const nothing = (input: () => Record<string, unknown> = () => ({})): Trial => ({ names: 'nothing', input })
const strategy = (more: Record<string, unknown> = {}): Trial => ({
  names: 'context',
  input: ({ strategy_id }) => ({ id: strategy_id, ...more }),
})
const ONE_ROW = new TextEncoder().encode('代碼,動作,價格,時間\n2330,買進,1000,2026/03/02 09:00:00\n')
/** About the strategy of stocks. */
const stock = (more: Record<string, unknown> = {}, succeeds = false): Trial => ({
  names: 'context',
  input: (things) => ({ id: things.stock_id ?? things.strategy_id, ...more }),
  ...(succeeds && { succeeds }),
})
/**
 * Whoever tries all of this stands still at the moment it began; so long ago it is past on that clock, too. Well
 * beyond `MANUAL_FRESH_MS`: at just that age the first of two calls is fresh and the second, a moment later, is not.
 */
const PAST_MS = 2 * MANUAL_FRESH_MS
/** A signal entered by hand, each a new one. */
const manual = (of: 'strategy_id' | 'stock_id', more: Record<string, unknown>): Trial => ({
  names: 'context',
  input: (things) => ({
    strategy_id: things[of] ?? things.strategy_id,
    id: uuidv7(Date.now(), randomBytes(10)),
    quantity: 1,
    occurred_at: new Date(Date.now() - PAST_MS).toISOString(),
    ...more,
  }),
})
const webhook = (more: Record<string, unknown> = {}): Trial => ({
  names: 'context',
  input: ({ webhook_id }) => ({ id: webhook_id, ...more }),
})

const format = (more: Record<string, unknown> = {}): Trial => ({
  names: 'context',
  input: ({ webhook_id, format_id }) => ({ id: webhook_id, format_id, ...more }),
})

/** Trials by endpoint name. */
export const TRIALS: Record<string, Trial[]> = {
  'session.login': [{ names: 'nothing', input: ({ email }) => ({ account: email, password: PASSWORD }) }],
  'session.register': [
    nothing(() => {
      const email = `matrix-${process.pid}-${++count}@example.com`
      return { account: email, email, name: '新人', password: PASSWORD }
    }),
  ],
  'session.renew': [nothing()],
  'session.prolong': [nothing(() => ({ password: 'wrong' }))],
  'session.logout': [nothing()],
  'session.list': [nothing()],
  'session.end': [{ names: 'person', input: ({ session_id }) => ({ id: session_id }) }],
  'session.forget-password': [{ names: 'nothing', input: ({ email }) => ({ email }) }],
  'session.check-reset-token': [nothing(() => ({ token: 'unknown' }))],
  'session.reset-password': [nothing(() => ({ token: 'unknown', password: PASSWORD }))],
  // With a wrong password: whoever may, still may afterwards.
  'session.update-password': [nothing(() => ({ old_password: 'wrong', new_password: `${PASSWORD} new` }))],
  'profile.update-email': [nothing(() => ({ new_email: 'matrix@example.com', password: 'wrong' }))],
  'profile.avatar': [nothing(() => ({ image: PIXEL }))],
  'organization.logo': [
    {
      names: 'organization',
      input: ({ organization_id = '01890000-0000-7000-8000-000000000000' }) => ({
        id: organization_id,
        image: PIXEL,
      }),
    },
  ],
  'profile.delete': [nothing(() => ({ password: 'wrong' }))],
  'profile.export': [{ names: 'self', input: () => ({}) }],
  'profile.usage': [{ names: 'self', input: () => ({}) }],
  'profile.get': [nothing()],
  'profile.update': [nothing(() => ({ name: '新名字' }))],
  'profile.update-name': [nothing(() => ({ name: '新名字' }))],
  'profile.send-verification': [nothing()],
  'profile.verify-email': [nothing(() => ({ code: '000000' }))],
  'strategy.list': [nothing(), nothing(() => ({ search: 'mark' })), nothing(() => ({ status: 'archived' }))],
  'strategy.get': [strategy()],
  'strategy.create': [
    nothing(() => ({ kind: 'futures', name: `新策略 ${++count}`, settings: { product_code: 'TXF' } })),
  ],
  'strategy.duplicate': [
    {
      names: 'context',
      input: ({ strategy_id }) => ({ id: strategy_id, name: `複本 ${++count}` }),
    },
  ],
  'strategy.update': [
    strategy({ summary: '改了' }),
    strategy({ initial_capital: 123_456 }),
    strategy({ status: 'paused' }),
  ],
  'strategy.delete': [
    {
      names: 'context',
      input: ({ strategy_id, strategy_name }) => ({ id: strategy_id, name: strategy_name }),
    },
    {
      names: 'context',
      input: ({ strategy_id, strategy_name }) => ({
        id: strategy_id,
        name: strategy_name,
        keep_records: false,
      }),
    },
  ],
  'strategy.notify': [strategy({ enabled: false })],
  // The month is over and nothing was ever open in it: whoever may is told so.
  'strategy.settle-expiry': [strategy({ contract: '202601', settlement_price: 23_000 })],
  'strategy.upload-image': [nothing(() => ({ image: PIXEL }))],
  'strategy.image': [{ names: 'context', input: ({ image_id }) => ({ id: image_id }) }],
  // Nothing was ever reported: whoever may is told so.
  'strategy.answer-gap': [
    {
      names: 'context',
      input: ({ strategy_id, signal_id }) => ({ id: strategy_id, signal_id, answer: 'source' }),
    },
  ],
  'strategy.statistics': [strategy(), strategy({ from: '2026-01-01', to: '2026-12-31' })],
  'strategy.stock-statistics': [stock({ sort: 'symbol' }, true)],
  'stock-signal-setting.list': [stock({}, true)],
  'stock-signal-setting.create': [stock({ applies_to: 'me', name: '規則' }, true)],
  // Of rules that nobody has: whoever may is told so, or it is done already.
  'stock-signal-setting.update': [stock({ setting_id: uuidv7(1, randomBytes(10)), enabled: false })],
  'stock-signal-setting.delete': [stock({ setting_id: uuidv7(1, randomBytes(10)) })],
  'stock-signal-setting.order': [stock({ applies_to: 'me', ids: [uuidv7(1, randomBytes(10))] })],
  'stock-signal-setting.test': [stock({ applies_to: 'me', symbol: '2330', action: 'buy' }, true)],
  'original-data.list': [stock({}, true), stock({ format: 'csv' }, true)],
  'original-data.import': [stock({ file: ONE_ROW, name: 'a.csv', dry_run: 'true' }, true)],
  // Of rows and files that nobody has: whoever may is told so.
  'original-data.reprocess': [stock({ row_ids: [uuidv7(1, randomBytes(10))] }, true)],
  'original-data.delete-batch': [stock({ batch_id: uuidv7(1, randomBytes(10)) })],
  'webhook.list': [nothing()],
  'webhook.of-strategy': [strategy()],
  'webhook.create': [{ names: 'context', input: ({ strategy_id }) => ({ strategy_id, name: '第二個' }) }],
  'webhook.update': [webhook({ name: '改名', body_secret: 'new-secret-word' })],
  'webhook.set-status': [webhook({ enabled: false })],
  'webhook.rotate': [webhook({ grace: 'now' })],
  'webhook.delete': [webhook()],
  'webhook.test': [webhook()],
  'webhook.bridge': [webhook(), webhook({ platform: 'python' })],
  'webhook.learn': [
    { names: 'context', input: ({ webhook_id, delivery_id }) => ({ webhook_id, delivery_id }) },
    { names: 'context', input: ({ webhook_id }) => ({ webhook_id, body: '{"dir":"多","lots":1}' }) },
  ],
  'webhook.preview': [
    {
      names: 'context',
      input: ({ webhook_id, delivery_id }) => ({ webhook_id, delivery_id, format: 'auto', mapping: null }),
    },
  ],
  'webhook.impact': [webhook({ format: 'auto', mapping: { fields: { symbol: 'sym' } } })],
  'webhook.formats': [webhook()],
  'webhook.confirm-format': [format({ waiting: 'take' })],
  'webhook.update-format': [format({ name: '改名' })],
  'webhook.delete-format': [format()],
  'webhook.deliveries': [webhook()],
  'webhook.replay': [
    { names: 'context', input: ({ webhook_id, delivery_id }) => ({ id: webhook_id, delivery_id }) },
  ],
  'webhook.replays': [
    webhook({ dry_run: true }),
    {
      names: 'context',
      input: ({ webhook_id, delivery_id }) => ({
        id: webhook_id,
        delivery_ids: [delivery_id],
        dry_run: false,
      }),
    },
  ],
  'signal.feed': [
    nothing(() => ({ limit: 1_000 })),
    nothing(() => ({ latest: 'true', limit: 1_000 })),
    { names: 'context', input: ({ strategy_id }) => ({ strategy_id }) },
  ],
  'signal.get': [{ names: 'context', input: ({ signal_id }) => ({ id: signal_id }) }],
  'signal.of-strategy': [strategy()],
  'signal.stocks-of-strategy': [stock({ symbol: '2330' }, true)],
  'signal.of-webhook': [webhook()],
  'signal.void': [{ names: 'context', input: ({ signal_id }) => ({ id: signal_id, reason: '誤發' }) }],
  'signal.correct': [{ names: 'context', input: ({ signal_id }) => ({ id: signal_id, price: 23_100 }) }],
  'signal.manual-futures': [
    { ...manual('strategy_id', { product_code: 'TXF', action: 'buy', price: 23_000 }), succeeds: true },
  ],
  'signal.manual-stock': [
    { ...manual('stock_id', { symbol: '2330', action: 'buy', price: 1_000 }), succeeds: true },
    // A strategy of futures: whoever may send is told so, and nobody else.
    manual('strategy_id', { symbol: '2330', action: 'buy', price: 1_000 }),
  ],
  'signal.chain': [strategy()],
  'signal.export': [strategy({ format: 'json' }), strategy({ format: 'csv' })],
  'market.products': [nothing()],
  'market.tables': [nothing()],
  'market.symbols': [nothing(), nothing(() => ({ search: '2330', limit: 5 }))],
  'market.calendar': [nothing()],
  'dashboard.get': [nothing()],
  'event.stream': [nothing()],
  'contact.list': [nothing()],
  'sso.providers': [nothing()],
  'sso.token-login': [nothing(() => ({ ticket: 'x'.repeat(43) }))],
  'sso.link': [nothing(() => ({ ticket: 'x'.repeat(43), password: PASSWORD }))],
  // No application is configured here: a request is always over, and nobody has let anybody in.
  'oauth.interaction': [nothing(() => ({ uid: 'no-such-request' }))],
  'oauth.decide': [nothing(() => ({ uid: 'no-such-request', decision: 'deny' }))],
  'oauth.grants': [nothing()],
  'oauth.revoke': [{ names: 'person', input: ({ grant_id }) => ({ id: grant_id ?? 'no-such-grant' }) }],
  ...ORGANIZATION_TRIALS,
  ...INVITATION_TRIALS,
  ...JOIN_TRIALS,
  ...GROUP_TRIALS,
  ...ANNOUNCEMENT_TRIALS,
  ...NOTIFY_TRIALS,
}
