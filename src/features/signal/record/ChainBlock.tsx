/* The record's place in the chain: its number, its hash, the hash it builds on, and whether the one before fits. */
import type { SignalRecord } from '#contract/signal.ts'
import { number } from '#text/format.ts'
import { GENESIS } from '#trading/chain.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Block } from './Block.tsx'
import css from './ChainBlock.module.css'

/** `previous` the record before in the chain as this device holds it. */
export type ChainBlockProps = {
  record: SignalRecord
  previous: SignalRecord | undefined
  onVerify: () => void
}

export function ChainBlock({ record, previous, onVerify }: ChainBlockProps) {
  const first = record.prev_hash === GENESIS
  const fits = first ? record.chain_seq === 1 : previous && previous.hash === record.prev_hash
  const place = `第 ${number(record.chain_seq)} 筆`
  const told = first ? '，紀錄的起點' : !previous ? '' : fits ? '，與前一筆相符' : '，與前一筆不符'
  const broken = !first && previous !== undefined && !fits
  return (
    <Block
      title={place + told}
      icon={broken ? 'warning' : fits ? 'verified' : 'link'}
      tone={broken ? 'danger' : fits ? 'good' : 'quiet'}
      aside={
        <Button size="s" kind="ghost" onClick={onVerify}>
          驗證紀錄
        </Button>
      }
    >
      <div className={`${css.chain} mono`}>
        {!first && (
          <>
            <span>
              {number(record.chain_seq - 1)} <code>{short(record.prev_hash)}</code>
            </span>
            <Icon name="link" size={16} className={broken ? 'danger-ink' : 'good-ink'} />
          </>
        )}
        <span>
          {number(record.chain_seq)} <code>{short(record.hash)}</code>
        </span>
      </div>
      <div className={css.foot}>
        <p className="t13 ink3 sp">
          {broken
            ? '這筆記載的前一筆雜湊，和這支裝置上的前一筆不同。請告訴策略的管理者。'
            : !first && !previous
              ? '前一筆不在這支裝置上，無法比對。'
              : '每一筆都含前一筆的雜湊，事後改過就接不上。'}
        </p>
        <CopyButton size="s" text={record.hash}>
          複製雜湊
        </CopyButton>
      </div>
    </Block>
  )
}

/** 7be0 41c9 … 51d3 */
function short(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`
}
