/* 安全與進階: what only this webhook accepts, saved field by field; and deleting it. */

import { type FormEvent, useState } from 'react'
import type { InputOf } from '#contract/endpoint.ts'
import type { updateWebhook, Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import { Card, Fold } from '#ui/Card.tsx'
import { FieldLink } from '#ui/Field.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useChange } from './WebhookCards.tsx'
import { SENDER_OPTIONS, senderOf } from './words.ts'

export function RulesCard({ webhook }: { webhook: Webhook }) {
  const [form, setForm] = useState(() => rulesOf(webhook))
  const [removing, setRemoving] = useState(false)
  const change = useChange(webhook, (changed) => {
    setForm(rulesOf(changed))
    return 'Webhook 設定已儲存'
  })
  const input = changesOf(form, webhook)
  const dirty = Object.keys(input).length > 0
  const fields = refusedFields(change.error) ?? {}
  const fault = (name: string) => Object.entries(fields).find(([path]) => path.split('.')[0] === name)?.[1]
  const set = (part: Partial<RulesForm>) => setForm({ ...form, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (dirty && !change.isPending) change.mutate({ kind: 'update', input })
  }
  return (
    <Card flush>
      <Fold title={<b>安全與進階</b>} note={guards(webhook)}>
        <form className="col gap16" onSubmit={submit}>
          <TextField
            label="名稱"
            value={form.name}
            onChange={(name) => set({ name })}
            maxLength={60}
            error={fault('name')}
          />
          <SelectField
            label="訊號來源"
            value={senderOf(form.format).value}
            onChange={(format) => set({ format })}
            options={SENDER_OPTIONS}
            error={fault('format')}
          />
          <TextField
            label="訊息密語"
            value={form.secret}
            onChange={(secret) => set({ secret, drop_secret: false })}
            maxLength={64}
            autoComplete="off"
            placeholder={webhook.has_secret && !form.drop_secret ? '已設定，輸入新的才會更換' : '不檢查'}
            hint="訊息裡的 secret 欄位要相同才收，存檔與顯示前會移除。8 到 64 個字元。"
            error={fault('body_secret')}
            action={
              webhook.has_secret && (
                <FieldLink onClick={() => set({ secret: '', drop_secret: !form.drop_secret })}>
                  {form.drop_secret ? '保留密語' : '移除密語'}
                </FieldLink>
              )
            }
          />
          <TextField
            label="只收這些 IP"
            value={form.ips}
            onChange={(ips) => set({ ips })}
            rows={3}
            mono
            placeholder="不限制"
            hint="一行一個 IP 或 CIDR，最多 20 個。"
            error={fault('ip_allow')}
            action={
              <FieldLink onClick={() => set({ ips: TRADINGVIEW_IPS.join('\n') })}>
                套用 TradingView IP
              </FieldLink>
            }
          />
          <SelectField
            label="看不懂的訊息"
            value={form.unparsed}
            onChange={(unparsed) => set({ unparsed })}
            options={[
              { value: 'reject', label: '等我確認，或說明原因' },
              { value: 'entry', label: '一律當作進場' },
              { value: 'exit', label: '一律當作出場' },
            ]}
          />
          {form.unparsed !== 'reject' && (
            <TextField
              label="當作哪個商品"
              value={form.unparsed_symbol}
              onChange={(unparsed_symbol) => set({ unparsed_symbol })}
              maxLength={20}
              placeholder="MXF 或 2330"
              error={fault('unparsed_rule')}
            />
          )}
          <Refused
            text={
              change.error &&
              Object.keys(fields).length === 0 &&
              failureSentence(change.error, '填的內容還在，')
            }
          />
          <div className="row gap8">
            <Button kind="soft" type="submit" disabled={!dirty} busy={change.isPending}>
              儲存
            </Button>
            <Button kind="ghost" disabled={!dirty} onClick={() => setForm(rulesOf(webhook))}>
              還原
            </Button>
            <span className="sp" />
            <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>
              刪除
            </Button>
          </div>
        </form>
      </Fold>
      {removing && <RemoveDialog webhook={webhook} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function guards({ format, has_secret, ip_allow }: Webhook): string {
  return [senderOf(format).label, has_secret && '有密語', ip_allow.length > 0 && `${ip_allow.length} 個 IP`]
    .filter(Boolean)
    .join(' · ')
}

function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { name } = webhook
  return (
    <Ask
      title={`刪除「${name}」`}
      verb="刪除 Webhook"
      mutation={webhookMutations.remove(useCtx(), webhook)}
      input={undefined}
      done={{ title: `已刪除「${name}」` }}
      safe="Webhook 還在，"
      onClose={onClose}
    >
      <p>網址立即失效，之後送來的訊息都會被拒收。已經收下的訊號不受影響。只想停一陣子，可以改用停用。</p>
    </Ask>
  )
}

/* The rules of a webhook as a form holds them, and which of them were changed. */

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
