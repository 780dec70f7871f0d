/* The form of a strategy. A new one asks for a name, what it trades and where its signals come from; all else has its default under 更多設定. One submit; Enter sends it, the first wrong field gets the focus. */

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { firesOnce, type ScriptType } from '#contract/kinds/xq-stock.ts'
import type { Product } from '#contract/market.ts'
import { LISTED, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { usePrivacy } from '#screen/privacy.ts'
import { number } from '#text/format.ts'
import { contractText, DIRECTION_TEXT, STYLE_TEXT, TIMEFRAME_TEXT } from '#text/strategy.ts'
import { ASSET_FACTS, assetOf, KINDS } from '#trading/kinds.ts'
import { contractOfRule, findProduct } from '#trading/products.ts'
import type { Asset } from '#trading/record.ts'
import { Icon } from '#ui/Icon.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TagsField as UiTags } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { SENDERS, type Source, sourcesOf } from '../connect/senders.ts'
import { tagsOf } from '../list/arrange.ts'
import { NoteField } from '../note/NoteField.tsx'
import { FuturesCosts, StockCosts } from './Costs.tsx'
import { AdvancedSection, AmountFields, NotifySection, Section, SettingField, Two } from './Fields.tsx'
import { FIELDS, KIND_FORMS } from './kinds.ts'
import { useProducts } from './products.ts'
import css from './StrategyForm.module.css'
import { inUnit, SymbolsField } from './SymbolsField.tsx'
import type { BoundField, FormApi, FormValues } from './use-strategy-form.ts'

/** `strategy_id` of an existing strategy, empty for a new one; `usual` what its record says of its silences; `more` opens what is folded away. `children` the bar with the buttons. */
export type StrategyFormProps = {
  form: FormApi
  onSubmit: () => void
  strategy_id?: string
  usual?: number | null | undefined
  /** Its bell was refined as no choice says. */
  own?: boolean
  more?: boolean
  children: ReactNode
}

export function StrategyForm(props: StrategyFormProps) {
  const { form, onSubmit, strategy_id = '', usual, own = false, more = false, children } = props
  const box = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (form.failed === 0) return
    const wrong = box.current?.querySelector<HTMLElement>(
      '[aria-invalid=true], [data-invalid] input:checked, [role=alert]',
    )
    if (!wrong) return
    for (let fold = wrong.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true
    wrong.focus({ preventScroll: true })
    wrong.scrollIntoView({ block: 'center', behavior: 'instant' })
  }, [form.failed])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const traded = TRADED[assetOf(form)]
  const editing = strategy_id !== ''
  const settings = (
    <>
      <BasicSection form={form} editing={editing} />
      {KINDS[form.kind].triggers && <XqSection form={form} />}
      <Section {...KIND_FORMS[form.kind].traded}>
        {editing && traded.what(form)}
        {traded.how(form)}
        <AmountFields form={form} />
      </Section>
      <MoneySection form={form} />
      <Section title="說明" about="看得到這個策略的人都能讀。">
        <NoteField {...form.field('note')} strategy_id={strategy_id} />
      </Section>
      <NotifySection form={form} own={own} />
      <AdvancedSection form={form} usual={usual} />
    </>
  )
  return (
    <form ref={box} className={css.root} onSubmit={submit} noValidate aria-label="策略">
      {editing ? (
        settings
      ) : (
        <>
          <Section asked title="名稱與來源" about="名稱會出現在每一筆訊號上，取一個一眼認得的。">
            <NameField form={form} />
            {traded.what(form)}
            <SourceField form={form} />
          </Section>
          <details className={css.more} open={more}>
            <summary className="card">
              <b className="sp">更多設定</b>
              <span className={cx(css.note, 't13 ink3')}>都有預設，建立後也能改</span>
              <Icon name="chevron-down" size={18} className={cx(css.turn, 'ink3')} />
            </summary>
            <div className={css.root}>{settings}</div>
          </details>
        </>
      )}
      {children}
    </form>
  )
}

/** What it trades, and how of that, by market. */
const TRADED: Record<Asset, Record<'what' | 'how', (form: FormApi) => ReactNode>> = {
  futures: {
    what: (form) => <ProductField form={form} />,
    how: (form) => <ContractFields form={form} />,
  },
  stock: {
    what: (form) => <SymbolsField {...form.field('settings.symbols')} />,
    how: (form) => <UnitField form={form} />,
  },
}

function NameField({ form }: { form: FormApi }) {
  return (
    <TextField
      {...form.field('name')}
      label="策略名稱"
      placeholder={`例如：${KIND_FORMS[form.kind].example}`}
      maxLength={60}
      counter
      autoComplete="off"
    />
  )
}

/** 訊號從哪裡來: decides what the next step shows. */
function SourceField({ form }: { form: FormApi }) {
  const { kind, change } = form
  const field = form.field('source')
  const choose = (source: Source) =>
    change({
      source,
      ...(source === 'file' && { 'settings.data_source': 'csv' as const }),
      ...(source !== 'file' &&
        form.values['settings.data_source'] === 'csv' && { 'settings.data_source': 'webhook' as const }),
    })
  return (
    <SegmentsField
      {...field}
      onChange={choose}
      label="訊號從哪裡來？"
      options={sourcesOf(kind).map((value) => ({ value, label: SENDERS[value].name }))}
      hint={SENDERS[field.value].next}
    />
  )
}

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

/** What it is called and whether it runs, when editing; how it trades. */
function BasicSection({ form, editing }: { form: FormApi; editing: boolean }) {
  const { values, field } = form
  return (
    <Section
      title="基本資料"
      about={editing ? '名稱會出現在每一筆訊號上，取一個一眼認得的。' : '別人看得懂它在做什麼，列表也好找。'}
    >
      {editing && <NameField form={form} />}
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
      <SegmentsField
        {...field('direction')}
        label="操作方向"
        options={[
          ...(values.assumed.includes('direction') ? [{ value: '' as const, label: '到時再問' }] : []),
          ...optionsOf(DIRECTION_TEXT),
        ]}
        hint={values.direction === '' ? '第一則做空的訊號來的時候問你；回答以前不會有空單。' : undefined}
      />
      <Two>
        <SelectField {...field('trade_style')} label="交易類型" options={STYLES} />
        <SelectField {...field('timeframe')} label="週期" options={FRAMES} />
      </Two>
      <TagsField {...field('tags')} />
    </Section>
  )
}

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

function useProduct(form: FormApi) {
  const products = useProducts()
  const product = products.find((one) => one.code === form.values['settings.product_code'])
  return { products, product }
}

function ProductField({ form }: { form: FormApi }) {
  const { products, product } = useProduct(form)
  return (
    <SearchSelect
      {...form.field('settings.product_code')}
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
  )
}

/** Which contract, which month, which session. */
function ContractFields({ form }: { form: FormApi }) {
  const { product } = useProduct(form)
  const { values, field, change } = form
  const month = values['settings.contract_month']
  const months = [...new Set([...(product?.contract_months ?? []), ...(month ? [month] : [])])]
  return (
    <>
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
    </>
  )
}

/** What the quantities of stocks count. */
function UnitField({ form }: { form: FormApi }) {
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
    <SegmentsField
      {...field('settings.unit')}
      onChange={choose}
      label={FIELDS.unit.label}
      hint={FIELDS.unit.hint}
      options={FIELDS.unit.options}
    />
  )
}

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

/** Which script it is and what its firing means. */
function XqSection({ form }: { form: FormApi }) {
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
  const bring = (data_source: FormValues['settings.data_source']) =>
    change({
      'settings.data_source': data_source,
      ...(data_source === 'csv'
        ? { source: 'file' as const }
        : values.source === 'file' && { source: 'xq' as const }),
    })
  return (
    <Section title="XQ 腳本" about="XQ 的腳本把訊號寫進檔案，橋接程式再送到 Webhook。">
      <SettingField form={form} name="xq_script_name" />
      <SegmentsField
        {...field('settings.script_type')}
        onChange={choose}
        label={FIELDS.script_type.label}
        options={FIELDS.script_type.options}
      />
      <SegmentsField
        {...field('settings.data_source')}
        onChange={bring}
        label={FIELDS.data_source.label}
        options={FIELDS.data_source.options}
        hint={BRINGS[values['settings.data_source']]}
      />
      {values['settings.data_source'] !== 'webhook' && <SettingField form={form} name="file_encoding" />}
      <SettingField form={form} name="default_action" hint={MEANS[values['settings.default_action']]} />
      <SettingField form={form} name="dedupe_per_day" />
    </Section>
  )
}

const COSTS = { futures: FuturesCosts, stock: StockCosts }

/** What the returns are measured by, and what every trade costs. */
function MoneySection({ form }: { form: FormApi }) {
  const privacy = usePrivacy()
  const open = form.values.assumed.includes('initial_capital')
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
          {...(open && { placeholder: `還沒填，先當作 ${number(KINDS[form.kind].initial_capital)}` })}
          hint="報酬率和最大回撤用它當分母"
        />
      </div>
      <Costs form={form} />
    </Section>
  )
}

const TAGS_MOST = 10

/** One's own words for a strategy; those of the other strategies are offered. */
function TagsField(field: BoundField<'tags'>) {
  const { data } = useQuery(strategyQueries.list(useCtx(), LISTED))
  const known = useMemo(() => tagsOf(data?.items ?? []), [data])
  return (
    <UiTags
      {...field}
      label="標籤"
      noun="標籤"
      known={known}
      placeholder="例如：突破、當沖"
      hint={`用逗號、頓號或 Enter 分開，最多 ${TAGS_MOST} 個，每個 20 字`}
    />
  )
}
