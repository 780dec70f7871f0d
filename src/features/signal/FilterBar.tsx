/* The filters over a list of records; they live in the address and stick while the list scrolls. */
import { type ReactNode, useState } from 'react'
import { SOURCE_WORDS } from '#text/signal.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { ACTIONS, ASSETS, EFFECTS, SOURCES } from '#trading/record.ts'
import { ACTION_WORDS, EFFECT_WORDS } from '#trading/record-words.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { SearchChip } from '#ui/SearchSelect.tsx'
import { ChipSelect, Chips } from '#ui/Segments.tsx'
import { type Option, SelectField } from '#ui/SelectField.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './SignalBoard.module.css'
import { filterKey, NO_FILTERS, type SearchPatch, SINCE, type SignalSearch, STATES } from './search.ts'
import { SINCE_WORDS, STATE_WORDS } from './words.ts'

/**
 * `strategies` null inside one strategy: then kind and strategy are given. `webhooks` by id, where the choice of one says something.
 * `find` false in the feed of the first page, which has no search. `aside` stands at the end of the line.
 */
export type FilterBarProps = {
  search: SignalSearch
  onChange: (patch: SearchPatch) => void
  strategies: ReadonlyMap<string, string> | null
  webhooks?: ReadonlyMap<string, string>
  find?: boolean
  aside?: ReactNode
}

type Pick = SignalSearch['effect'] | SignalSearch['action'] | ''

/** What the rows say. What a message wrote, which reads alike (加碼, 反手), is found by an address that names it, and stands here then. */
export const didOptions = (action: SignalSearch['action']): readonly Option<NonNullable<Pick>>[] => [
  { value: '', label: '全部動作' },
  ...EFFECTS.map((value) => ({ value, label: EFFECT_WORDS[value] })),
  ...(action ? [{ value: action, label: `訊息寫${ACTION_WORDS[action]}` }] : []),
]

type Choice = {
  key: keyof SignalSearch
  label: string
  value: string
  options: readonly Option<string>[]
  pick: (value: string) => void
}

/** Those behind 「篩選」; inside one strategy the first two stand in sight, else kind and strategy do. */
function choicesOf({ search, onChange, webhooks }: FilterBarProps): Choice[] {
  const choice = (
    key: 'side' | 'source' | 'webhook' | 'since' | 'state',
    label: string,
    all: string,
    options: readonly Option<string>[],
  ): Choice => ({
    ...{ key, label, value: search[key] ?? '', options: [{ value: '', label: all }, ...options] },
    pick: (value) => onChange({ [key]: value || undefined }),
  })
  return [
    {
      ...{ key: 'effect', label: '動作', value: search.effect ?? search.action ?? '' },
      options: didOptions(search.action),
      pick: (value) =>
        onChange({
          effect: EFFECTS.find((one) => one === value),
          action: ACTIONS.find((one) => one === value),
        }),
    },
    choice(
      'since',
      '日期',
      '全部日期',
      SINCE.map((value) => ({ value, label: SINCE_WORDS[value] })),
    ),
    choice('side', '多空', '多空都看', [
      { value: 'long', label: '多單' },
      { value: 'short', label: '空單' },
    ]),
    choice(
      'source',
      '來源',
      '全部來源',
      SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] })),
    ),
    ...(webhooks
      ? [
          choice(
            'webhook',
            'Webhook',
            '全部 Webhook',
            [...webhooks].map(([value, label]) => ({ value, label })),
          ),
        ]
      : []),
    choice(
      'state',
      '狀態',
      '全部狀態',
      STATES.map((value) => ({ value, label: STATE_WORDS[value] })),
    ),
  ]
}

export function FilterBar(props: FilterBarProps) {
  const { search, onChange, strategies, aside, find: finds = true } = props
  const [finding, setFinding] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const find = finds && (
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
      <div className={cx(css.bar, 'mob', !strategies && css.inside)} data-filters="">
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
  const choices = choicesOf(props)
  const [inSight, behind] = strategies ? [[], choices] : [choices.slice(0, 2), choices.slice(2)]
  const chosen = behind.filter(({ value }) => value !== '').length
  return (
    <div className={cx(css.bar, !strategies && css.inside)} data-filters="">
      <div className={css.chips}>
        {strategies && (
          <>
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
            <SearchChip
              label="策略"
              value={search.strategy ?? ''}
              onChange={(strategy) => onChange({ strategy: strategy || undefined })}
              options={[
                { value: '', label: '全部策略' },
                ...[...strategies].map(([value, label]) => ({ value, label })),
              ]}
            />
          </>
        )}
        {inSight.map(({ key, label, value, options, pick }) => (
          <ChipSelect key={key} label={label} value={value} onChange={pick} options={options} />
        ))}
        <Chips
          label="更多條件"
          inline
          chips={[
            {
              ...{ value: 'more', label: '篩選', menu: true, on: chosen > 0 },
              ...(chosen > 0 && { count: chosen }),
            },
          ]}
          onPick={() => setChoosing(true)}
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
      {find && (
        <>
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
        </>
      )}
      {aside}
      <Sheet
        open={choosing}
        onClose={() => setChoosing(false)}
        title="篩選"
        foot={
          <Button kind="filled" onClick={() => setChoosing(false)}>
            完成
          </Button>
        }
      >
        <div className="stack">
          {behind.map(({ key, label, value, options, pick }) => (
            <SelectField key={key} label={label} value={value} onChange={pick} options={options} />
          ))}
        </div>
      </Sheet>
    </div>
  )
}
