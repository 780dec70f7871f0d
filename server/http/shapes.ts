// Shapes that stand under their own name in the API document, so that they are written once.

export { product as Product } from '#contract/market.ts'
export { organization_entry as OrganizationEntry } from '#contract/organization.ts'
export { profile as Profile } from '#contract/profile.ts'
export { session as Session } from '#contract/session.ts'
export {
  normal_signal as NormalSignal,
  signal_derived as SignalDerived,
  signal_facts as SignalFacts,
  signal_record as SignalRecord,
} from '#contract/signal.ts'
export { stats_summary as StatsSummary } from '#contract/statistics.ts'
export { stock_signal_setting as StockSignalSetting } from '#contract/stock-signal-setting.ts'
export {
  position as Position,
  strategy as Strategy,
  strategy_notify as StrategyNotify,
} from '#contract/strategy.ts'
export {
  delivery as Delivery,
  hook_answer as HookAnswer,
  mapping as Mapping,
  webhook as Webhook,
} from '#contract/webhook.ts'
