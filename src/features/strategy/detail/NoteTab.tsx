/* 說明: the note and the settings that decide the figures. */
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked as asterisks } from '#screen/profile.ts'
import { MASK, number, ymd } from '#text/format.ts'
import { DIRECTION_TEXT, STYLE_TEXT, saidOf, TIMEFRAME_TEXT } from '#text/strategy.ts'
import { ASSET_FACTS, assetOf, KINDS, UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { Card } from '#ui/Card.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { cx, opens } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { NoteText } from '../note/NoteText.tsx'
import css from '../StrategyDetailPage.module.css'

export function NoteTab({ strategy }: { strategy: Strategy }) {
  const { on: masked } = usePrivacy()
  const { open } = useGo()
  const edit = strategy.can.includes('edit') && `/strategies/${strategy.id}/edit`
  const money = (value: number) => (masked ? MASK : `${number(value)} 元`)
  return (
    <div className="grid2">
      <Card title="說明" pad>
        {strategy.summary_text && <p className={cx(css.NoteTabSummary, 'read')}>{strategy.summary_text}</p>}
        {strategy.tags.length > 0 && (
          <p className={cx(css.NoteTabTags, 'row wrap gap6')}>
            {strategy.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </p>
        )}
        {strategy.note && <NoteText strategy_id={strategy.id} text={strategy.note} />}
        {!strategy.note && (edit || !strategy.summary_text) && (
          <p className="ink3">
            {!strategy.summary_text && '還沒有寫說明。'}
            {edit && (
              <>
                在
                <a className="link" href={edit} onClick={opens(() => open(edit))}>
                  編輯策略
                </a>
                可以記下進出場的規則。
              </>
            )}
          </p>
        )}
      </Card>
      <Card title="設定" pad>
        <KeyValues rows={rowsOf(strategy, money, masked ? asterisks : String)} />
      </Card>
    </div>
  )
}

function rowsOf(strategy: Strategy, money: (value: number) => string, name: (name: string) => string) {
  const { traded, hours, fee } = saidOf(strategy)
  const unit = UNIT_FACTS[unitOf(strategy)].word
  // nobody has said it yet: what stands there is a default
  const open = (field: 'direction' | 'initial_capital') => strategy.assumed?.includes(field) === true
  return [
    { label: '類型', value: KINDS[strategy.kind].name },
    { label: ASSET_FACTS[assetOf(strategy)].traded, value: traded },
    { label: '方向', value: open('direction') ? '還沒回答' : DIRECTION_TEXT[strategy.direction] },
    ...(hours ? [{ label: '交易時段', value: hours }] : []),
    ...(strategy.timeframe ? [{ label: '週期', value: TIMEFRAME_TEXT[strategy.timeframe] }] : []),
    ...(strategy.trade_style ? [{ label: '交易類型', value: STYLE_TEXT[strategy.trade_style] }] : []),
    { label: '初始資金', value: open('initial_capital') ? '還沒填' : money(strategy.initial_capital) },
    {
      label: '數量',
      value:
        strategy.quantity_mode === 'fixed'
          ? `固定 ${number(strategy.default_quantity)} ${unit}`
          : `依訊號，沒寫就 ${number(strategy.default_quantity)} ${unit}`,
    },
    { label: '部位上限', value: `${number(strategy.max_position)} ${unit}` },
    { label: '加碼', value: strategy.allow_pyramiding ? '允許' : '不允許' },
    { label: '反手', value: strategy.allow_reversal ? '允許' : '不允許' },
    { label: '手續費', value: fee },
    { label: '延遲超過', value: `${number(strategy.late_after_s)} 秒標示` },
    { label: '建立', value: `${name(strategy.created_by.name)}，${ymd(strategy.created_at)}` },
  ]
}
