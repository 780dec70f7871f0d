/* The rules of a webhook as a form holds them, and which of them were changed. */
import type { InputOf } from '#contract/endpoint.ts'
import type { updateWebhook, Webhook } from '#contract/webhook.ts'

/** Where TradingView sends from (domain §4.1). */
export const TRADINGVIEW_IPS = ['52.89.214.238', '34.212.75.30', '54.218.53.128', '52.32.178.7'] as const

/** `secret` only a new one; the stored one never comes back. `ips` one per line. */
export interface RulesForm {
  name: string
  format: Webhook['format']
  secret: string
  drop_secret: boolean
  ips: string
  unparsed: 'reject' | 'entry' | 'exit'
  unparsed_symbol: string
}

export function rulesOf(webhook: Webhook): RulesForm {
  return {
    name: webhook.name,
    format: webhook.format,
    secret: '',
    drop_secret: false,
    ips: webhook.ip_allow.join('\n'),
    unparsed: webhook.unparsed_rule?.action ?? 'reject',
    unparsed_symbol: webhook.unparsed_rule?.symbol ?? '',
  }
}

/** Only what differs from what is stored: two people who change different fields do not undo each other. */
export function changesOf(form: RulesForm, webhook: Webhook): Omit<InputOf<typeof updateWebhook>, 'id'> {
  const input: Omit<InputOf<typeof updateWebhook>, 'id'> = {}
  if (form.name.trim() !== webhook.name) input.name = form.name
  if (form.format !== webhook.format) input.format = form.format
  if (form.secret !== '') input.body_secret = form.secret
  else if (form.drop_secret && webhook.has_secret) input.body_secret = null
  const ips = form.ips.split(/[\s,，、]+/).filter(Boolean)
  if (ips.join() !== webhook.ip_allow.join()) input.ip_allow = ips
  const rule =
    form.unparsed === 'reject'
      ? null
      : { action: form.unparsed, symbol: form.unparsed_symbol.trim().toUpperCase() }
  const old = webhook.unparsed_rule
  if (rule?.action !== old?.action || rule?.symbol !== old?.symbol) input.unparsed_rule = rule
  return input
}
