// The dashboard's answer (wire.md §10). Waiting outbox items are added by the device.
import * as z from 'zod/mini'
import { announcement_head } from './announcement.ts'
import { endpoint } from './endpoint.ts'
import { day } from './fields.ts'
import { signal_record } from './signal.ts'
import { strategy } from './strategy.ts'

const TODO_KINDS = [
  'verify_email',
  'bind_telegram',
  'invites',
  'join_requests',
  'asks_short',
  'pending_price',
  'price_suspect',
  'position_gap',
  'held',
  'rejected',
  'silent',
  'missing',
  'expiring',
] as const

const dashboard = z.object({
  context: z.enum(['personal', 'organization']),
  today: z.object({ trading_date: day(), signal_count: z.number(), realised_pnl: z.nullable(z.number()) }),
  /** A member's: the latest day that one of the strategies is read from; null = everything is read. */
  reads_from: z.nullable(day()),
  open_strategy_count: z.number(),
  month: z.object({ realised_pnl: z.nullable(z.number()), sparkline: z.array(z.number()) }),
  latest: z.array(signal_record),
  strategies: z.array(strategy),
  todos: z.array(z.object({ kind: z.enum(TODO_KINDS), count: z.number(), link: z.string() })),
  announcements: z.array(announcement_head),
  checklist: z.object({
    email: z.boolean(),
    strategy: z.boolean(),
    webhook: z.boolean(),
    channel: z.boolean(),
    first_signal: z.boolean(),
  }),
  organization: z.nullable(
    z.object({
      members: z.number(),
      expiring_7d: z.number(),
      delivered_today: z.number(),
      failed_today: z.number(),
    }),
  ),
})
export type Dashboard = z.infer<typeof dashboard>

export const getDashboard = endpoint({
  name: 'dashboard.get',
  method: 'GET',
  path: '/dashboard',
  who: 'login',
  when_offline: 'fail',
  as_member: true,
  about: '首頁',
  input: z.object({}),
  output: dashboard,
})
