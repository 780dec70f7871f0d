/* The form of a strategy, new or old: its sections by kind, one submit; Enter sends it, the first wrong field gets the focus. */

import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { firesOnce, type ScriptType } from '#contract/kinds/xq-stock.ts'
import type { Product } from '#contract/market.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { number } from '#text/format.ts'
import { contractText, DIRECTION_TEXT, STYLE_TEXT, TIMEFRAME_TEXT } from '#text/strategy.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { contractOfRule, findProduct } from '#trading/products.ts'
import type { StrategyKind } from '#trading/record.ts'
import { Fold } from '#ui/Fold.tsx'
import { Hint } from '#ui/Hint.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NoteField } from '../note/NoteField.tsx'
import { FuturesCosts, StockCosts } from './Costs.tsx'
import { AmountFields, ExitField, SettingField, TagsField } from './Fields.tsx'
import { Section, Two } from './FormPage.tsx'
import { FIELDS, KIND_FORMS } from './kinds.ts'
import { NotifySection } from './NotifySection.tsx'
import { useProducts } from './products.ts'
import css from './StrategyForm.module.css'
import { SymbolsField } from './SymbolsField.tsx'
import { inUnit } from './symbols.ts'
import type { FormApi } from './use-strategy-form.ts'
import type { FormValues } from './values.ts'

/** What stands between the common parts, by kind. */
const OWN: Record<StrategyKind, (form: FormApi) => ReactNode> = {
  futures: (form) => <ProductSection form={form} />,
  stock: (form) => <SymbolsSection form={form} />,
  'xq-stock': (form) => (
    <>
      <XqSection form={form} />
      <SymbolsSection form={form} />
    </>
  ),
}

/** `strategy_id` of an existing strategy, empty for a new one; `usual` what its record says of its silences. `children` the bar with the buttons. */
export type StrategyFormProps = {
  form: FormApi
  onSubmit: () => void
  strategy_id?: string
  usual?: number | null | undefined
  children: ReactNode
}

export function StrategyForm({ form, onSubmit, strategy_id = '', usual, children }: StrategyFormProps) {
  const box = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (form.failed === 0) return
    const wrong = box.current?.querySelector<HTMLElement>(
      '[aria-invalid=true], [data-invalid] input:checked, [role=alert]',
    )
    if (!wrong) return
    const fold = wrong.closest('details')
    if (fold) fold.open = true
    wrong.focus({ preventScroll: true })
    wrong.scrollIntoView({ block: 'center', behavior: 'instant' })
  }, [form.failed])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={box} className={css.root} onSubmit={submit} noValidate aria-label="策略">
      <BasicSection form={form} editing={strategy_id !== ''} />
      {OWN[form.kind](form)}
      <MoneySection form={form} />
      <Section title="說明" about="看得到這個策略的人都能讀。">
        <NoteField {...form.field('note')} strategy_id={strategy_id} />
      </Section>
      <NotifySection form={form} />
      <AdvancedSection form={form} usual={usual} />
      {children}
    </form>
  )
}

/* 基本資料: what it is called, how it trades, and, when editing, whether it runs. */

const optionsOf = <T extends string>(words: Record<T, string>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }))
const STATES = [
  { value: 'active', label: '啟用' },
  { value: 'paused', label: '暫停' },
  { value: 'archived', label: '封存' },
] as const
const STATE_HINTS = {
  active: '訊號會記錄，並通知開了鈴鐺的人',
  paused: '訊號仍會記錄並標示，不通知任何人',
  archived: 'Webhook 不再收訊號，列表預設不顯示',
}
// integer-like keys come first in any object, so the bars stand from short to long by themselves
const FRAMES = [{ value: '', label: '不指定' } as const, ...optionsOf(TIMEFRAME_TEXT)]
const STYLES = [{ value: '', label: '不指定' } as const, ...optionsOf(STYLE_TEXT)]

export function BasicSection({ form, editing }: { form: FormApi; editing: boolean }) {
  const { values, field } = form
  return (
    <Section title="基本資料" about="名稱會出現在每一筆訊號上，取一個一眼認得的。">
      <TextField
        {...field('name')}
        label="策略名稱"
        placeholder={`例如：${KIND_FORMS[form.kind].example}`}
        maxLength={60}
        counter
        autoComplete="off"
      />
      {editing && (
        <SegmentsField {...field('status')} label="狀態" options={STATES} hint={STATE_HINTS[values.status]} />
      )}
      <TextField
        {...field('summary')}
        label="一句話說明"
        placeholder="選填"
        maxLength={200}
        counter
        autoComplete="off"
      />
      <SegmentsField {...field('direction')} label="操作方向" options={optionsOf(DIRECTION_TEXT)} />
      <Two>
        <SelectField {...field('trade_style')} label="交易類型" options={STYLES} />
        <SelectField {...field('timeframe')} label="週期" options={FRAMES} />
      </Two>
      <TagsField {...field('tags')} />
    </Section>
  )
}

/* 商品: which product, which contract, when, how many. */

/** 202612 → 2026 年 12 月; weeklies keep their week: 2026 年 11 月 W2. */
function monthText(month: string): string {
  return `${month.slice(0, 4)} 年 ${Number(month.slice(4, 6))} 月${month.slice(6) && ` ${month.slice(6)}`}`
}

/** What the change of product takes along: its usual fee, hours and months, unless the person had set another fee. */
function chosen(form: FormApi, code: string, products: readonly Product[]) {
  const [before, after] = [form.values['settings.product_code'], code].map((one) =>
    products.find((product) => product.code === one),
  )
  const fee = form.values['settings.fee_per_side']
  const usual = fee === '' || fee === String(before?.default_fee)
  const months = after?.contract_months ?? []
  form.change({
    'settings.product_code': code,
    ...(after && usual ? { 'settings.fee_per_side': String(after.default_fee) } : {}),
    ...(after && !after.has_night ? { 'settings.session': 'day' as const } : {}),
    ...(months.includes(form.values['settings.contract_month'])
      ? {}
      : { 'settings.contract_month': months[0] ?? '' }),
  })
}

export function ProductSection({ form }: { form: FormApi }) {
  const products = useProducts()
  const { values, field, change } = form
  const code = values['settings.product_code']
  const product = products.find((one) => one.code === code)
  const month = values['settings.contract_month']
  const months = [...new Set([...(product?.contract_months ?? []), ...(month ? [month] : [])])]
  return (
    <Section {...KIND_FORMS.futures.traded}>
      <SearchSelect
        {...field('settings.product_code')}
        onChange={(next) => chosen(form, next, products)}
        label={FIELDS.product_code.label}
        placeholder={FIELDS.product_code.placeholder ?? ''}
        options={products.map((one) => ({
          value: one.code,
          label: `${one.short_name}　${one.name}（${one.code}）`,
          group: findProduct(one.code)?.tick_table ? '股票期貨' : '指數期貨',
        }))}
        hint={
          product && (
            <span className="num">
              一點 {number(product.point_value)} 元，最小跳動 {product.tick} 點
            </span>
          )
        }
      />
      <SegmentsField
        {...field('settings.contract_rule')}
        onChange={(rule) =>
          change({
            'settings.contract_rule': rule,
            ...(rule === 'month' && !month ? { 'settings.contract_month': months[0] ?? '' } : {}),
          })
        }
        label={FIELDS.contract_rule.label}
        options={FIELDS.contract_rule.options}
        hint={
          values['settings.contract_rule'] === 'month'
            ? '只收這個月份的訊號。'
            : `訊號裡寫哪個月份都算${contractText(contractOfRule(values['settings.contract_rule'], null))}，換月不用改設定。`
        }
      />
      {values['settings.contract_rule'] === 'month' && (
        <SelectField
          {...field('settings.contract_month')}
          label={FIELDS.contract_month.label}
          placeholder={FIELDS.contract_month.placeholder ?? ''}
          options={months.map((one) => ({ value: one, label: monthText(one) }))}
        />
      )}
      <SegmentsField
        {...field('settings.session')}
        label={FIELDS.session.label}
        options={FIELDS.session.options.map((one) => ({
          ...one,
          disabled: one.value === 'day_night' && product !== undefined && !product.has_night,
        }))}
        hint={product && !product.has_night ? `${product.short_name}只有日盤` : undefined}
      />
      <AmountFields form={form} />
    </Section>
  )
}

/* 股票: which codes the strategy takes, what its quantities count, how many. */

export function SymbolsSection({ form }: { form: FormApi }) {
  const { values, field, change } = form
  // ten 張 that became ten 股 would refuse every signal as far too large
  const choose = (unit: FormValues['settings.unit']) => {
    if (unit === values['settings.unit']) return
    change({
      'settings.unit': unit,
      default_quantity: inUnit(values.default_quantity, unit),
      max_position: inUnit(values.max_position, unit),
    })
  }
  return (
    <Section {...KIND_FORMS[form.kind].traded}>
      <SymbolsField {...form.field('settings.symbols')} />
      <SegmentsField
        {...field('settings.unit')}
        onChange={choose}
        label={FIELDS.unit.label}
        hint={FIELDS.unit.hint}
        options={FIELDS.unit.options}
      />
      <AmountFields form={form} />
    </Section>
  )
}

/* XQ 腳本: which script it is and what its firing means. */

const MEANS = {
  entry: '訊息沒寫買賣時當成進場；寫了就照寫的。',
  exit: '訊息沒寫買賣時當成出場；寫了就照寫的。',
  by_content: '訊息一定要寫買賣，沒寫的不收。',
}

const BRINGS = {
  webhook: '橋接程式把新的一行送到 Webhook；過去的檔案也能到「原始資料」匯入。',
  csv: '到策略的「原始資料」匯入 XQ 匯出的檔案；沒有 Webhook 也不提醒。',
  both: '新的訊號由橋接程式送來，過去的到「原始資料」匯入。',
}

export function XqSection({ form }: { form: FormApi }) {
  const { values, field, change } = form
  // what the kind of script decides follows it, unless the person had set it otherwise
  const choose = (type: ScriptType) => {
    const before = values['settings.script_type']
    const usual = values['settings.dedupe_per_day'] === firesOnce(before)
    change({
      'settings.script_type': type,
      ...(usual ? { 'settings.dedupe_per_day': firesOnce(type) } : {}),
    })
  }
  return (
    <Section title="XQ 腳本" about="XQ 的腳本把訊號寫進檔案，橋接程式再送到 Webhook。">
      <SettingField form={form} name="xq_script_name" />
      <SegmentsField
        {...field('settings.script_type')}
        onChange={choose}
        label={FIELDS.script_type.label}
        options={FIELDS.script_type.options}
      />
      <SettingField form={form} name="data_source" hint={BRINGS[values['settings.data_source']]} />
      {values['settings.data_source'] !== 'webhook' && <SettingField form={form} name="file_encoding" />}
      <SettingField form={form} name="default_action" hint={MEANS[values['settings.default_action']]} />
      <SettingField form={form} name="dedupe_per_day" />
    </Section>
  )
}

/* 資金與成本: what the returns are measured by, and what every trade costs. */

const COSTS = { futures: FuturesCosts, stock: StockCosts }

export function MoneySection({ form }: { form: FormApi }) {
  const privacy = usePrivacy()
  const asset = assetOf(form)
  const Costs = COSTS[asset]
  return (
    <Section
      title="資金與成本"
      about={`損益一律扣掉手續費、${ASSET_FACTS[asset].tax}和滑價；改了會用新的數字重算。`}
    >
      <div data-private={privacy.on || undefined}>
        <NumberField
          {...form.field('initial_capital')}
          label="初始資金"
          unit="元"
          integer
          hint="報酬率和最大回撤用它當分母"
        />
      </div>
      <Costs form={form} />
    </Section>
  )
}

/* 進階: what most people never change, folded away until asked for or until something in it does not fit. */

const MISMATCH = [
  { value: 'reject', label: '拒絕' },
  { value: 'accept', label: '接受並標示' },
] as const

/** Without a number: what the alarm of a silence will go by. */
function usualWords(usual: number | null | undefined): string {
  if (usual === undefined) return '留空時依過去的頻率判斷；收到的訊號還不夠多時，不會提醒'
  return usual === null
    ? '收到的訊號還不夠看出平常的頻率，現在留空不會提醒'
    : `留空時依過去的頻率：超過 ${number(usual)} 分鐘才提醒`
}

/** `usual` open minutes that its own record allows; null: too few records yet, absent: not known. */
export function AdvancedSection({ form, usual }: { form: FormApi; usual?: number | null | undefined }) {
  const { values, field, change } = form
  return (
    <div className={cx(css.advanced, 'card flush')}>
      <Fold large title={<h2>進階</h2>} note="加碼、停損停利、延遲、太久沒收到訊號">
        <div className={css.inside}>
          <Switch
            className={css.switch}
            label="允許加碼"
            note="關閉時，已有部位再收到同方向的進場不動作"
            checked={values.allow_pyramiding}
            onChange={(on) => change({ allow_pyramiding: on })}
          />
          <Switch
            className={css.switch}
            label="允許反手"
            note="關閉時，反向的訊號只平掉原部位，不開新倉"
            checked={values.allow_reversal}
            onChange={(on) => change({ allow_reversal: on })}
          />
          <Two stacked>
            <ExitField form={form} label="停損" of="stop_loss" />
            <ExitField form={form} label="停利" of="take_profit" />
          </Two>
          <Hint>停損停利只供參考，平台不會替你下單。</Hint>
          <NumberField
            {...field('late_after_s')}
            label="多久算延遲"
            unit="秒"
            integer
            step="30"
            min="30"
            max="3600"
            hint="晚這麼久才收到，就標「延遲」"
          />
          <SegmentsField
            {...field('on_symbol_mismatch')}
            label={`訊號的${ASSET_FACTS[assetOf(form)].traded}不符時`}
            options={MISMATCH}
          />
          <Switch
            className={css.switch}
            label="太久沒收到訊號時提醒我"
            note="從最後一則訊息算起，只算交易時段"
            checked={values['silence_alarm.enabled']}
            onChange={(on) => change({ 'silence_alarm.enabled': on })}
          />
          {values['silence_alarm.enabled'] && (
            <NumberField
              {...field('silence_alarm.max_gap_minutes')}
              label="超過多久"
              unit="分鐘"
              integer
              placeholder="依過去的頻率"
              hint={usualWords(usual)}
            />
          )}
        </div>
      </Fold>
    </div>
  )
}
