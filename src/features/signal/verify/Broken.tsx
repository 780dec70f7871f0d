/* The first record that does not fit, and why; with the way to it when this device holds it. */
import type { ChainCheck } from '#data/nouns/chain.ts'
import { useData } from '#screen/data.tsx'
import { full, number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './Broken.module.css'
import verifySheetCss from './VerifySheet.module.css'

/** `when` the check ended, ms. */
export type BrokenProps = {
  strategy_id: string
  check: ChainCheck & { ok: false }
  when: number
  onOpen: ((id: string) => void) | undefined
}

export function Broken({ strategy_id, check, when, onOpen }: BrokenProps) {
  const { chain_seq, reason, checked, source } = check
  const record = useData()
    .signals.ofStrategy(strategy_id)
    .find((one) => one.chain_seq === chain_seq)
  return (
    <>
      <div className={verifySheetCss.hero}>
        <p className={verifySheetCss.what}>
          <Icon name="warning" size={28} className="danger-ink" />
          <b className="t20">第 {number(chain_seq)} 筆不符</b>
        </p>
        <p className="ink2">{reason}。</p>
        {record && onOpen && (
          <Button kind="tint" onClick={() => onOpen(record.id)}>
            看這支裝置存的第 {number(chain_seq)} 筆
          </Button>
        )}
      </div>
      <KeyValues
        rows={[
          { label: '在這之前', value: checked > 0 ? `${number(checked)} 筆相符` : '沒有相符的紀錄' },
          {
            label: '檢查的是',
            value: source === 'server' ? '伺服器上的全部紀錄' : '這支裝置存的紀錄（離線）',
          },
          { label: '驗證時間', value: full(new Date(when).toISOString()) },
        ]}
      />
      <p className={`t13 ink3 ${css.note}`}>
        這一筆之後的紀錄都不能再視為原樣。請先匯出留存，再告訴策略的管理者。
      </p>
    </>
  )
}
