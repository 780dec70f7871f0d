/* The filters over a list of records; they live in the address and stick while the list scrolls. */

import { type ReactNode, useState } from 'react'
import { SOURCE_WORDS } from '#text/signal.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { ACTIONS, ASSETS, EFFECTS, SOURCES } from '#trading/record.ts'
import { ACTION_WORDS, EFFECT_WORDS } from '#trading/record-words.ts'
import { ChipSelect, Chips } from '#ui/Chips.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { SearchChip } from '#ui/SearchSelect.tsx'
import type { Option } from '#ui/SelectField.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './FilterBar.module.css'
import { filterKey, NO_FILTERS, type SearchPatch, SINCE, type SignalSearch, STATES } from './search.ts'
import { SINCE_WORDS, STATE_WORDS } from './words.ts'

/** `strategies` null inside one strategy: then kind and strategy are given. `webhooks` by id, where the choice of one says something. `aside` stands at the end of the line. */
export type FilterBarProps = {
  search: SignalSearch
  onChange: (patch: SearchPatch) => void
  strategies: ReadonlyMap<string, string> | null
  webhooks?: ReadonlyMap<string, string>
  aside?: ReactNode
}

type Pick = SignalSearch['effect'] | SignalSearch['action'] | ''

/** What the rows say. What a message wrote, which reads alike (加碼, 反手), is found by an address that names it, and stands here then. */
export const didOptions = (action: SignalSearch['action']): readonly Option<NonNullable<Pick>>[] => [
  { value: '', label: '全部動作' },
  ...EFFECTS.map((value) => ({ value, label: EFFECT_WORDS[value] })),
  ...(action ? [{ value: action, label: `訊息寫${ACTION_WORDS[action]}` }] : []),
]

export function FilterBar({ search, onChange, strategies, webhooks, aside }: FilterBarProps) {
  const [finding, setFinding] = useState(false)
  const find = (
    <SearchField
      label="搜尋訊號"
      placeholder={strategies ? '商品、代號、策略、備註' : '商品、代號、備註'}
      value={search.text ?? ''}
      onChange={(text) => onChange({ text: text || undefined })}
      className={css.search}
    />
  )
  if (finding)
    return (
      <div className={cx(css.root, 'mob', !strategies && css.inside)} data-filters="">
        {find}
        <IconButton
          icon="close"
          label="收起搜尋"
          large
          onClick={() => {
            setFinding(false)
            onChange({ text: undefined })
          }}
        />
      </div>
    )
  const filtered = filterKey(search) !== filterKey({})
  const pickAction = (value: Pick) =>
    onChange({
      effect: EFFECTS.find((one) => one === value),
      action: ACTIONS.find((one) => one === value),
    })
  return (
    <div className={cx(css.root, !strategies && css.inside)} data-filters="">
      <div className={css.chips}>
        {strategies && (
          <Chips
            label="類型"
            inline
            chips={[
              { value: '', label: '全部', on: !filtered },
              ...ASSETS.map((value) => ({
                value,
                label: ASSET_FACTS[value].name,
                on: search.kind === value,
              })),
            ]}
            onPick={(value) =>
              onChange(value === '' ? NO_FILTERS : { kind: value as NonNullable<SignalSearch['kind']> })
            }
          />
        )}
        {strategies && (
          <SearchChip
            label="策略"
            value={search.strategy ?? ''}
            onChange={(strategy) => onChange({ strategy: strategy || undefined })}
            options={[
              { value: '', label: '全部策略' },
              ...[...strategies].map(([value, label]) => ({ value, label })),
            ]}
          />
        )}
        <ChipSelect
          label="動作"
          value={search.effect ?? search.action ?? ''}
          onChange={pickAction}
          options={didOptions(search.action)}
        />
        <ChipSelect
          label="多空"
          value={search.side ?? ''}
          onChange={(side) => onChange({ side: side || undefined })}
          options={[
            { value: '', label: '多空都看' },
            { value: 'long', label: '多單' },
            { value: 'short', label: '空單' },
          ]}
        />
        <ChipSelect
          label="來源"
          value={search.source ?? ''}
          onChange={(source) => onChange({ source: source || undefined })}
          options={[
            { value: '', label: '全部來源' },
            ...SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] })),
          ]}
        />
        {webhooks && (
          <ChipSelect
            label="Webhook"
            value={search.webhook ?? ''}
            onChange={(webhook) => onChange({ webhook: webhook || undefined })}
            options={[
              { value: '', label: '全部 Webhook' },
              ...[...webhooks].map(([value, label]) => ({ value, label })),
            ]}
          />
        )}
        <ChipSelect
          label="日期"
          value={search.since ?? ''}
          onChange={(since) => onChange({ since: since || undefined })}
          options={[
            { value: '', label: '全部日期' },
            ...SINCE.map((value) => ({ value, label: SINCE_WORDS[value] })),
          ]}
        />
        <ChipSelect
          label="狀態"
          value={search.state ?? ''}
          onChange={(state) => onChange({ state: state || undefined })}
          options={[
            { value: '', label: '全部狀態' },
            ...STATES.map((value) => ({ value, label: STATE_WORDS[value] })),
          ]}
        />
      </div>
      {filtered && (
        <button
          type="button"
          className={cx(css.clear, 'link t13')}
          aria-label="清除篩選"
          onClick={() => onChange(NO_FILTERS)}
        >
          清除
        </button>
      )}
      <div className={cx(css.find, 'desk')}>{find}</div>
      <span className="mob">
        <IconButton
          icon="search"
          large
          label={search.text ? `搜尋：${search.text}` : '搜尋'}
          pressed={Boolean(search.text)}
          onClick={() => setFinding(true)}
        />
      </span>
      {aside}
    </div>
  )
}
